import { stackedBars } from './bars.ts'

const [width, height] = [80, 20]

/** Bars without axes, 80 by 20 pixels. `highest` is the top of the scale, the same for sparklines in one list. Renders nothing if all values are zero. */
export function Sparkline({ values, highest }: { values: readonly number[]; highest: number }) {
  const chart = stackedBars(values.map((value) => [value]))
  if (chart === null) return null
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
      className="shrink-0 sm:max-lg:hidden"
    >
      {chart.bars.map(({ barLeft, barWidth, total }) => {
        // At least one pixel, so that a day with a single call is visible next to days with thousands.
        const tall = total === 0 ? 0 : Math.max(1, (total / highest) * height)
        return <rect key={barLeft} x={barLeft} y={height - tall} width={barWidth} height={tall} className="fill-chart-quiet" />
      })}
    </svg>
  )
}
