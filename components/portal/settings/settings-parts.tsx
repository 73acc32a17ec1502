import type { ReactNode } from 'react'
import { TextField } from '#components/forms/field.tsx'

/** Section of the settings: title on the left, controls on the right; stacked on narrow screens. */
export function SettingsSection({ id, title, lead, children }: { id: string; title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid gap-x-10 gap-y-4 border-t border-line py-8 first-of-type:border-t-0 first-of-type:pt-0 md:grid-cols-[14rem_1fr]"
    >
      <div>
        <h2 id={`${id}-title`} className="text-h2 font-semibold">
          {title}
        </h2>
        {lead === undefined ? null : <p className="mt-1 text-note text-pretty text-ink-2">{lead}</p>}
      </div>
      <div className="min-w-0 max-w-104">{children}</div>
    </section>
  )
}

/** Field for a two-factor code. */
export function CodeField() {
  return (
    <TextField
      name="code"
      label="Authentication code"
      hint="6-digit code from your app, or a recovery code."
      autoComplete="one-time-code"
      size="short"
      isCode
    />
  )
}
