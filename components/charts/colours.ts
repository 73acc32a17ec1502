import type { Series } from './bars.ts'

/** Colour of a series, as classes for SVG shapes, SVG lines and HTML. */
export type Colour = { readonly fill: string; readonly stroke: string; readonly swatch: string }

const series: readonly Colour[] = [
  { fill: 'fill-chart-1', stroke: 'stroke-chart-1', swatch: 'bg-chart-1' },
  { fill: 'fill-chart-2', stroke: 'stroke-chart-2', swatch: 'bg-chart-2' },
  { fill: 'fill-chart-3', stroke: 'stroke-chart-3', swatch: 'bg-chart-3' },
  { fill: 'fill-chart-4', stroke: 'stroke-chart-4', swatch: 'bg-chart-4' },
]
const other: Colour = { fill: 'fill-chart-other', stroke: 'stroke-chart-other', swatch: 'bg-chart-other' }

/** Colours of HTTP statuses: success, client error, server error. */
export const statusColours: readonly Colour[] = [
  { fill: 'fill-good', stroke: 'stroke-good', swatch: 'bg-good' },
  { fill: 'fill-chart-2', stroke: 'stroke-chart-2', swatch: 'bg-chart-2' },
  { fill: 'fill-danger', stroke: 'stroke-danger', swatch: 'bg-danger' },
]

/** Returns the colour of the series at an index. The series "Other" has its own. */
export const seriesColour = (list: readonly Pick<Series, 'id'>[], index: number): Colour => (list[index]?.id === 'other' ? other : (series[index] ?? other))
