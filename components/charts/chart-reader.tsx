'use client'

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import type { Slot } from './scales.ts'

/** Details of one period, for the tooltip. */
export type Reading = {
  readonly title: string
  /** Main figure, such as `12 credits`. */
  readonly value: string
  readonly rows?: readonly { readonly name: string; readonly value: string; readonly swatch: string }[]
}

const moves: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** Position of the pointer as percentages of the chart's size. */
type Spot = { readonly index: number; readonly left: number; readonly top: number }

/** Details at the pointer. Shifted left by the same percentage of its width, so that it never extends past the sides of the chart. */
function Tooltip({ reading: { title, value, rows = [] }, spot: { left, top } }: { reading: Reading; spot: Spot }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-20 w-max max-w-72 rounded-control bg-surface px-3 py-2 text-note shadow-float"
      style={{ left: `${left}%`, top: `${top}%`, transform: `translate(${-left}%, ${top > 40 ? 'calc(-100% - 12px)' : '16px'})` }}
    >
      <p className="text-ink-2">{title}</p>
      <p className="font-medium text-ink tabular-nums">{value}</p>
      {rows.length === 0 ? null : (
        <ul className="mt-1 space-y-0.5">
          {rows.map((row) => (
            <li key={row.name} className="flex items-baseline gap-2">
              <span className={`size-2.5 shrink-0 ${row.swatch}`} />
              <span className="min-w-0 grow truncate text-ink-2">{row.name}</span>
              <span className="pl-3 tabular-nums">{row.value}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Props = {
  name: string
  slots: readonly Slot[]
  readings: readonly Reading[]
  className: string
  children: ReactNode
}

/**
 * Keyboard and pointer access to a chart: it has one tab stop, arrow keys move between periods, and the details of the selected period appear at the pointer.
 * Without JavaScript, the chart and its table are still shown.
 */
export function ChartReader({ name, slots, readings, className, children }: Props) {
  const last = slots.length - 1
  const [spot, setSpot] = useState<Spot | null>(null)
  const select = (index: number) => {
    const { left = 0, width = 0 } = slots[index] ?? {}
    setSpot({ index, left: left + width / 2, top: 0 })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setSpot(null)
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    select(Math.min(last, Math.max(0, move(spot?.index ?? last, last))))
  }
  const onPoint = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))
    const top = Math.min(100, Math.max(0, ((event.clientY - box.top) / box.height) * 100))
    setSpot({ index: Math.min(last, Math.floor(share * slots.length)), left: share * 100, top })
  }
  const selected = spot?.index ?? last
  const { title, value } = readings[selected] ?? { title: '', value: '' }
  const slot = spot === null ? undefined : slots[spot.index]
  const reading = spot === null ? undefined : readings[spot.index]
  return (
    <div
      role="slider"
      aria-readonly="true"
      aria-label={name}
      aria-valuemin={1}
      aria-valuemax={slots.length}
      aria-valuenow={selected + 1}
      aria-valuetext={`${title}: ${value}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={() => spot ?? select(last)}
      onPointerDown={onPoint}
      onPointerMove={onPoint}
      onPointerLeave={() => setSpot(null)}
      onBlur={() => setSpot(null)}
      className={`relative touch-pan-y ${className}`}
    >
      {slot ? <div className="absolute inset-y-0 bg-hover" style={{ left: `${slot.left}%`, width: `${slot.width}%` }} /> : null}
      {children}
      {spot && reading ? <Tooltip reading={reading} spot={spot} /> : null}
    </div>
  )
}
