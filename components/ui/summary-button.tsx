import { ChevronDown, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'

const looks = {
  /** Opens details of the content above it. */
  ghost: 'min-h-8 border-line px-2.5 text-note text-ink-2 hover:bg-hover hover:text-ink max-sm:min-h-11',
  /** Opens the form of an irreversible action. */
  danger: 'min-h-11 border-danger px-4 text-danger hover:bg-danger-wash lg:min-h-9',
} as const

/** Summary of a `details` element that looks like a button. A chevron shows whether the details are open. */
export function SummaryButton({ kind = 'ghost', icon, children }: { kind?: keyof typeof looks; icon?: ReactNode; children: ReactNode }) {
  return (
    <summary
      className={`flex w-fit cursor-pointer list-none items-center gap-2 rounded-control border bg-surface font-medium transition-colors duration-120 motion-reduce:transition-none [&::-webkit-details-marker]:hidden [[open]>&_svg:last-child]:rotate-180 ${looks[kind]}`}
    >
      {icon}
      {children}
      <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
    </summary>
  )
}

/** Opens the data of a chart as a table. */
export function TableSummary() {
  return <SummaryButton icon={<Table2 aria-hidden="true" className="size-3.5 shrink-0" />}>Show as table</SummaryButton>
}
