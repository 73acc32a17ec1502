import type { ReactNode } from 'react'

type FigureProps = {
  name: string
  value: ReactNode
  note?: ReactNode
  /** Colour of a value that needs attention. */
  tone?: 'caution' | 'danger' | undefined
}

const tones = { caution: 'text-caution', danger: 'text-danger' } as const

/** Figure of a strip: name, value and note. */
export function Figure({ name, value, note, tone }: FigureProps) {
  return (
    <div className="min-w-0 bg-surface px-4 py-3 max-sm:first:nth-last-[3]:col-span-2">
      <dt className="text-note text-ink-2">{name}</dt>
      <dd className={`text-h1 font-semibold tracking-tight ${tone === undefined ? '' : tones[tone]}`}>{value}</dd>
      {note === undefined ? null : <dd className="text-note text-pretty text-ink-2">{note}</dd>}
    </div>
  )
}

/** Share from which a meter has the colour for a nearly reached limit. */
const nearlyFull = 0.9

/** Thin bar that shows a value as a share of its limit. The text next to it gives both. */
export function Meter({ value, max }: { value: number; max: number }) {
  const share = max === 0 ? 1 : Math.min(1, value / max)
  return (
    <span aria-hidden="true" className="my-1.5 block h-1 w-full max-w-48 overflow-hidden rounded-full bg-track">
      <span className={`block h-full rounded-full ${share >= nearlyFull ? 'bg-caution' : 'bg-accent'}`} style={{ width: `${share * 100}%` }} />
    </span>
  )
}

const columns = {
  3: 'sm:grid-cols-3',
  4: 'sm:grid-cols-2 lg:grid-cols-4',
} as const

/** Strip of figures at the top of a page; two columns on a phone. The gaps show the background, which makes them lines. */
export function FigureStrip({ count, children }: { count: keyof typeof columns; children: ReactNode }) {
  return <dl className={`mb-6 grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line ${columns[count]}`}>{children}</dl>
}
