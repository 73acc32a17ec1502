import type { ReactNode } from 'react'
import { ChartFrame, type ChartSize } from './chart-frame.tsx'
import type { Reading } from './chart-reader.tsx'
import type { Colour } from './colours.ts'
import type { Lines } from './lines.ts'
import { axisLabels } from './time-axis.ts'

type Props = {
  name: string
  periods: readonly string[]
  chart: Lines
  colours: readonly Colour[]
  readings: readonly Reading[]
  format: (value: number) => string
  timeZone: string
  size?: ChartSize
  over?: ReactNode
}

/** Lines over hours, days or months. */
export function LineChart({ name, periods, chart: { paths, slots, ticks }, colours, readings, format, timeZone, size = 'regular', over }: Props) {
  return (
    <ChartFrame name={name} slots={slots} readings={readings} ticks={ticks} format={format} labels={axisLabels(periods, timeZone)} size={size} over={over}>
      {paths.map((path, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: a series is identified by its position
          key={index}
          d={path}
          className={`fill-none ${colours[index]?.stroke}`}
          // A single value has no line, so its point is drawn larger.
          strokeWidth={path.includes('L') ? 2 : 8}
          strokeLinecap="round"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </ChartFrame>
  )
}
