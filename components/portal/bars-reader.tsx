'use client'

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'

export type ReadableBar = { readonly label: string; readonly left: number; readonly width: number }

const moves: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * Keyboard and pointer access to a chart: it has one tab stop, arrow keys move between bars, and the selected bar's label is shown below the chart. Without
 * JavaScript, the chart and its table are still shown.
 */
export function BarsReader({ name, bars, children }: { name: string; bars: readonly ReadableBar[]; children: ReactNode }) {
  const last = bars.length - 1
  const [at, setAt] = useState<number | null>(null)
  const shown = at === null ? null : bars[at]
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    setAt(Math.min(last, Math.max(0, move(at ?? last, last))))
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * bars.length))))
  }
  return (
    <>
      <div
        role="slider"
        aria-readonly="true"
        aria-label={name}
        aria-valuemin={1}
        aria-valuemax={bars.length}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={(bars[at ?? last] ?? { label: '' }).label}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => setAt(at ?? last)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        className="relative h-48"
      >
        {shown ? <div className="absolute inset-y-0 bg-hover" style={{ left: `${shown.left}%`, width: `${shown.width}%` }} /> : null}
        {children}
      </div>
      <p aria-hidden="true" className="mt-6 min-h-5 text-table text-ink-2 tabular-nums">
        {shown?.label}
      </p>
    </>
  )
}
