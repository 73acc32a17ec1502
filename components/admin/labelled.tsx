import type { ReactNode } from 'react'

/** Class names of a filter control. */
export const filterBox = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:text-table'

/** Labelled control of a filter form. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed as children
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-note font-medium">{label}</span>
      {children}
    </label>
  )
}
