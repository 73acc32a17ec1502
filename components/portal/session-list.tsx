import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { Tag } from '#components/ui/tag.tsx'

const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** Returns a readable browser name from a user agent: `Firefox on Windows`. */
export function browserName(agent: string): string {
  const browser = browsers.find(([, pattern]) => pattern.test(agent))?.[0] ?? 'A browser'
  const system = systems.find(([, pattern]) => pattern.test(agent))?.[0]
  return system === undefined ? browser : `${browser} on ${system}`
}

export type Session = { readonly id: string; readonly seenAt: Date; readonly address: string | null; readonly agent: string; readonly isThis: boolean }

type Props = { sessions: readonly Session[]; end: FormAction; endAll: FormAction }

/** Active sessions, with buttons to end one or all of them. */
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
