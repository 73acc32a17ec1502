import { ago } from '#components/data/dates.ts'
import { Time } from '#components/data/time.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { browserName } from './browser-name.ts'

export type Session = { readonly id: string; readonly seenAt: Date; readonly address: string | null; readonly agent: string; readonly isThis: boolean }

type Props = { sessions: readonly Session[]; end: FormAction; endAll: FormAction }

/** Active sessions, each of which can be ended on its own or all at once. */
export function SessionList({ sessions, end, endAll }: Props) {
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {sessions.map(({ id, seenAt, address, agent, isThis }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5">
            <span className="min-w-0">
              <span className="font-medium">{browserName(agent)}</span> {isThis ? <Tag tone="good">This device</Tag> : null}
              <span className="block text-note text-ink-2">
                <Time at={seenAt}>{ago(seenAt, new Date())}</Time>
                {address === null ? '' : ` from ${address}`}
              </span>
            </span>
            {isThis ? null : (
              <Form action={end} name={id}>
                <input type="hidden" name="id" value={id} />
                <SubmitButton kind="plain">Sign out</SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-4">
        <Form action={endAll} name="everywhere">
          <SubmitButton kind="second">Sign out everywhere</SubmitButton>
        </Form>
      </div>
    </>
  )
}
