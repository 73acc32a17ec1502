import type { ReactNode } from 'react'

/** Row above a chart: title, controls and the button that shows the data as a table. */
export function ChartHead({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <h2 id={id} className="grow text-h2 font-semibold">
        {title}
      </h2>
      {children}
    </div>
  )
}
