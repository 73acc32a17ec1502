'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { HiddenField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { SummaryButton } from '#components/ui/summary-button.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { toast } from '#components/ui/toast.tsx'
import { browserName } from '../browser-name.ts'

/** Button that ends the session of another device. */
function EndSession({ id }: { id: string }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <MutationForm
      mutation={trpc.session.end.mutationOptions()}
      name={id}
      onDone={async () => {
        await client.invalidateQueries(trpc.session.pathFilter())
        toast('Device signed out.')
      }}
    >
      <HiddenField name="id" value={id} />
      <SubmitButton kind="plain">Sign out</SubmitButton>
    </MutationForm>
  )
}

function EndOthers() {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <MutationForm
      mutation={trpc.session.endAll.mutationOptions()}
      name="others"
      onDone={async () => {
        await client.invalidateQueries(trpc.session.pathFilter())
        toast('All other devices have been signed out.')
      }}
    >
      <HiddenField name="others" value="yes" />
      <SubmitButton kind="second">Sign out all other devices</SubmitButton>
    </MutationForm>
  )
}

/** Collapsed form that also signs out this device. */
function EndAll() {
  const box = useRef<HTMLDetailsElement>(null)
  return (
    <details ref={box}>
      <SummaryButton kind="danger">Sign out everywhere, including here</SummaryButton>
      <div className="mt-2 flex flex-wrap items-end gap-3">
        <MutationForm mutation={useTRPC().session.endAll.mutationOptions()} name="everywhere" onDone={({ next }) => goTo(next ?? '/sign-in')}>
          <p>You'll need to sign in again on this device too.</p>
          <SubmitButton kind="danger">Sign out everywhere</SubmitButton>
        </MutationForm>
        <Button kind="second" type="button" onClick={() => box.current?.removeAttribute('open')}>
          Cancel
        </Button>
      </div>
    </details>
  )
}

/** Active sessions, with buttons to end one or all of them. */
export function SessionList() {
  const trpc = useTRPC()
  const { data: sessions } = useSuspenseQuery(trpc.session.list.queryOptions())
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {sessions.map(({ id, seenAt, address, agent, isThis }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5">
            <span className="min-w-0">
              <span className="font-medium">{browserName(agent)}</span> {isThis ? <Tag tone="good">This device</Tag> : null}
              <span className="block text-note text-ink-2" suppressHydrationWarning>
                <Time at={seenAt}>{ago(seenAt, new Date())}</Time>
                {address === null ? '' : ` from ${address}`}
              </span>
            </span>
            {isThis ? null : <EndSession id={id} />}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-col gap-2">
        {sessions.length > 1 ? <EndOthers /> : null}
        <EndAll />
      </div>
    </>
  )
}
