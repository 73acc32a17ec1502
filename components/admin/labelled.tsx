import type { ReactNode } from 'react'

/** The look of a field by which a list is narrowed. */
export const filterBox = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:text-table'

/** A field below its name, in a form that asks by its address. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is what it is given
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-note font-medium">{label}</span>
      {children}
    </label>
  )
}
