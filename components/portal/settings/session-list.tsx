'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { HiddenField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
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
      <div className="mt-4">
        <MutationForm mutation={trpc.session.endAll.mutationOptions()} name="everywhere" onDone={({ next }) => goTo(next)}>
          <SubmitButton kind="second">Sign out everywhere</SubmitButton>
        </MutationForm>
      </div>
    </>
  )
}
