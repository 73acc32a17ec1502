import type { Series } from './bars.ts'

/** Colour of a series, as classes for SVG shapes, SVG lines and HTML. */
export type Colour = { readonly fill: string; readonly stroke: string; readonly swatch: string }

/**
 * Colours of categories, distinguishable with all types of colour vision. Excludes amber, red and the green of success, because they indicate statuses.
 */
const palette: readonly Colour[] = [
  { fill: 'fill-chart-1', stroke: 'stroke-chart-1', swatch: 'bg-chart-1' },
  { fill: 'fill-chart-3', stroke: 'stroke-chart-3', swatch: 'bg-chart-3' },
  { fill: 'fill-chart-4', stroke: 'stroke-chart-4', swatch: 'bg-chart-4' },
  { fill: 'fill-chart-5', stroke: 'stroke-chart-5', swatch: 'bg-chart-5' },
  { fill: 'fill-chart-6', stroke: 'stroke-chart-6', swatch: 'bg-chart-6' },
  { fill: 'fill-chart-7', stroke: 'stroke-chart-7', swatch: 'bg-chart-7' },
  { fill: 'fill-chart-8', stroke: 'stroke-chart-8', swatch: 'bg-chart-8' },
]
const other: Colour = { fill: 'fill-chart-other', stroke: 'stroke-chart-other', swatch: 'bg-chart-other' }

/** Colours of HTTP statuses: success, client error, server error. */
export const statusColours: readonly Colour[] = [
  { fill: 'fill-chart-good', stroke: 'stroke-chart-good', swatch: 'bg-chart-good' },
  { fill: 'fill-chart-2', stroke: 'stroke-chart-2', swatch: 'bg-chart-2' },
  { fill: 'fill-danger', stroke: 'stroke-danger', swatch: 'bg-danger' },
]

/** Returns the colour of a series with a fixed position, such as a percentile. */
export const seriesColour = (index: number): Colour => palette[index] ?? other

/** Endpoints that most accounts use. No two of them share a colour. */
const common = ['rates.list', 'rates.get', 'history.list', 'providers.list', 'rates.link', 'rate-trends', 'providers.get']

/** Returns the preferred position of an id in the palette. It never changes. */
function preferredPlace(id: string): number {
  const place = common.indexOf(id)
  return place === -1 ? [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 65_521, 7) % palette.length : place
}

/**
 * Returns the colours of the groups of a chart. They depend on the ids rather than the ranks, so that an endpoint or key keeps its colour from one chart to the
 * next. If two ids prefer the same colour, the one that sorts later gets the next free colour. "Other" has its own colour.
 */
export function groupColours(series: readonly Pick<Series, 'id'>[]): readonly Colour[] {
  const taken = new Map<number, string>()
  const isCommon = (id: string) => Number(!common.includes(id))
  const ids = series.map(({ id }) => id).filter((id) => id !== 'other')
  for (const id of ids.toSorted((a, b) => isCommon(a) - isCommon(b) || (a < b ? -1 : 1))) {
    let place = preferredPlace(id)
    while (taken.has(place) && taken.size < palette.length) place = (place + 1) % palette.length
    taken.set(place, id)
  }
  const placeOf = new Map([...taken].map(([place, id]) => [id, place]))
  return series.map(({ id }) => palette[placeOf.get(id) ?? -1] ?? other)
}
