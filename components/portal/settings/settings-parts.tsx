import type { ReactNode } from 'react'
import { TextField } from '#components/forms/field.tsx'

type SectionProps = {
  id: string
  title: string
  lead?: ReactNode
  /** True if the title would repeat the tab or the label of the only field. Screen readers still announce it. */
  isTitleHidden?: boolean
  children: ReactNode
}

/** Section of the settings: title on the left, controls on the right; stacked on narrow screens and if there is nothing on the left. */
export function SettingsSection({ id, title, lead, isTitleHidden = false, children }: SectionProps) {
  const isStacked = isTitleHidden && lead === undefined
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`border-t border-line py-8 first-of-type:border-t-0 first-of-type:pt-0 ${isStacked ? '' : 'grid gap-x-10 gap-y-4 md:grid-cols-[14rem_1fr]'}`}
    >
      <div>
        <h2 id={`${id}-title`} className={isTitleHidden ? 'sr-only' : 'text-h2 font-semibold'}>
          {title}
        </h2>
        {lead === undefined ? null : <p className={`text-note text-pretty text-ink-2 ${isTitleHidden ? '' : 'mt-1'}`}>{lead}</p>}
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
      hint="6-digit code from your authenticator app, or a recovery code."
      autoComplete="one-time-code"
      size="short"
      isCode
    />
  )
}
