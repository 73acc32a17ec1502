import { markShapes } from './mark-shapes.ts'

/** Logo of the product, on the public site and the signed-in pages. */
export function BrandMark() {
  const { corner, step, strokeWidth, dots } = markShapes
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" className="size-7 shrink-0">
      <rect width="28" height="28" rx={corner} className="fill-accent" />
      <path d={step} className="fill-none stroke-on-accent" strokeWidth={strokeWidth} strokeLinecap="round" strokeLinejoin="round" />
      {dots.map((dot) => (
        <circle key={dot.cx} {...dot} className="fill-on-accent" />
      ))}
    </svg>
  )
}
