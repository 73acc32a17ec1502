import { readDecimal, toWholeHundredths } from './exact-decimal.ts'
import { type Observation, type Source, SourceError } from './source.ts'

/** Statistics are percentages; anything outside of this is another unit, an index or a slip. In hundredths. */
const least = -10_00
const most = 100_00

function checkValue({ series, date, value }: Observation, source: Source): void {
  const decimal = readDecimal(value)
  const hundredths = decimal ? toWholeHundredths(decimal) : Number.NaN
  if (source.kind === 'statistic' && !(hundredths >= least && hundredths <= most)) {
    throw new SourceError(`${series} is ${value} on ${date}, which is no percentage of its kind.`)
  }
}

/**
 * Looks at what an adapter read before any of it is kept: something is there, no value is of the future, percentages look like percentages, and a day has one value.
 * @returns the observations, each once.
 * @throws SourceError
 */
export function checkObservations(source: Source, observations: readonly Observation[], today: string): Observation[] {
  if (observations.length === 0) throw new SourceError('The file has none of the values that are looked for.')
  const values = new Map<string, string>()
  return observations.filter((observation) => {
    const { series, date, value } = observation
    if (date > today) throw new SourceError(`${series} has a value for ${date}, which has not come yet.`)
    checkValue(observation, source)
    const key = `${series} ${date}`
    const other = values.get(key)
    if (other !== undefined && other !== value) throw new SourceError(`${series} has two values for ${date}: ${other} and ${value}.`)
    values.set(key, value)
    return other === undefined
  })
}
