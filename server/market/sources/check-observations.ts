import { readDecimal, toWholeHundredths } from './exact-decimal.ts'
import { type Observation, type Source, SourceError } from './source.ts'

/** Plausible range of statistics, in hundredths of a percent. A value outside it is in another unit, an index or a mistake. */
const least = -10_00
const most = 100_00

function checkValue({ series, date, value }: Observation, source: Source): void {
  const decimal = readDecimal(value)
  const hundredths = decimal ? toWholeHundredths(decimal) : Number.NaN
  if (source.kind === 'statistic' && !(hundredths >= least && hundredths <= most)) {
    throw new SourceError(`${series} is ${value} on ${date}, which is not a plausible percentage.`)
  }
}

/**
 * Validates parsed observations before they are stored: not empty, none in the future, plausible percentages, one value per day.
 * @returns the observations without duplicates.
 * @throws SourceError
 */
export function checkObservations(source: Source, observations: readonly Observation[], today: string): Observation[] {
  if (observations.length === 0) throw new SourceError('The file contains none of the expected values.')
  const values = new Map<string, string>()
  return observations.filter((observation) => {
    const { series, date, value } = observation
    if (date > today) throw new SourceError(`${series} has a value for ${date}, which is in the future.`)
    checkValue(observation, source)
    const key = `${series} ${date}`
    const other = values.get(key)
    if (other !== undefined && other !== value) throw new SourceError(`${series} has two values for ${date}: ${other} and ${value}.`)
    values.set(key, value)
    return other === undefined
  })
}
