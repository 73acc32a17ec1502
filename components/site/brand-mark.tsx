import { markShapes } from './mark-shapes.ts'

const sizes = { regular: 'size-7', large: 'size-10' } as const

/** Mark of the product, the same on the site and behind sign-in. */
export function BrandMark({ size = 'regular' }: { size?: keyof typeof sizes }) {
  const { corner, step, strokeWidth, dots } = markShapes
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" className={`shrink-0 ${sizes[size]}`}>
      <rect width="28" height="28" rx={corner} className="fill-accent" />
      <path d={step} className="fill-none stroke-on-accent" strokeWidth={strokeWidth} strokeLinecap="round" strokeLinejoin="round" />
      {dots.map((dot) => (
        <circle key={dot.cx} {...dot} className="fill-on-accent" />
      ))}
    </svg>
  )
}
