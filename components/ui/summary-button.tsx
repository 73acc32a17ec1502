import { ChevronDown, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'

const looks = {
  /** Opens details of the content above it. */
  ghost: 'min-h-9 border-line px-2.5 text-note text-ink-2 hover:bg-hover hover:text-ink max-sm:min-h-11',
  /** Like `ghost`, without text. */
  icon: 'min-h-9 min-w-9 justify-center border-line text-ink-2 hover:bg-hover hover:text-ink max-sm:min-h-11 max-sm:min-w-11',
  /** Opens filters. Has the height of a filter. */
  filter: 'min-h-11 border-line-strong px-3 text-table hover:bg-hover sm:min-h-9',
  /** Opens the form of an irreversible action. */
  danger: 'min-h-11 border-danger px-4 text-danger hover:bg-danger-wash lg:min-h-9',
} as const

type Props = {
  kind?: keyof typeof looks
  icon?: ReactNode
  /** Tooltip of a button without text. */
  title?: string
  /** True to leave out the chevron on a phone. */
  isShort?: boolean
  children: ReactNode
}

/** Summary of a `details` element that looks like a button. A chevron shows whether the details are open. */
export function SummaryButton({ kind = 'ghost', icon, title, isShort = false, children }: Props) {
  return (
    <summary
      title={title}
      className={`flex w-fit cursor-pointer list-none items-center gap-2 rounded-control border bg-surface font-medium transition-colors duration-120 motion-reduce:transition-none [&::-webkit-details-marker]:hidden [[open]>&_svg:last-child]:rotate-180 ${looks[kind]}`}
    >
      {icon}
      {children}
      {kind === 'icon' ? null : <ChevronDown aria-hidden="true" className={`size-3.5 shrink-0 ${isShort ? 'max-sm:hidden' : ''}`} />}
    </summary>
  )
}

/**
 * Classes of a `details` element in a row of a `flex-wrap` container. Its button is part of the row and stays in place, and its content opens below the row,
 * because the element itself has no box.
 */
export const inRow =
  'contents [&::details-content]:order-1 [&::details-content]:min-w-0 [&::details-content]:basis-full [&:not([open])::details-content]:hidden'

/** Opens the data of a chart as a table. `isShort` shortens its label on a phone, `isIcon` everywhere. */
export function TableSummary({ isShort = false, isIcon = false }: { isShort?: boolean; isIcon?: boolean }) {
  if (isIcon)
    return (
      <SummaryButton kind="icon" title="Show as table" icon={<Table2 aria-hidden="true" className="size-3.5 shrink-0" />}>
        <span className="sr-only">Show as table</span>
      </SummaryButton>
    )
  return (
    <SummaryButton icon={<Table2 aria-hidden="true" className="size-3.5 shrink-0" />} isShort={isShort}>
      {isShort ? (
        <>
          <span className="max-sm:hidden">Show as table</span>
          <span className="sm:hidden">Table</span>
        </>
      ) : (
        'Show as table'
      )}
    </SummaryButton>
  )
}
