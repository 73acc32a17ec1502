import { readFileSync } from 'node:fs'
import type { Observation, Reading } from '#server/market/sources/source.ts'

/** Names of the sample files, which have exactly the formats that their publishers use. */
export type SampleName =
  | 'boe-iadb-IUDBEDR.csv'
  | 'boe-iadb-IUMWTFA.csv'
  | 'ecb-dfr.csv'
  | 'eurofxref-daily.xml'
  | 'eurofxref-hist.csv'
  | 'npm-currency-api-gbp.json'
  | 'ons-d7g7-mm23.csv'
  | 'ons-d7g7-mm23.data.json'

/** Returns the URL of a sample file. JSON is stored as .txt, so that the formatter leaves it unchanged. */
const getFile = (name: SampleName) => new URL(`samples/${name}${name.endsWith('.json') ? '.txt' : ''}`, import.meta.url)

export const sample = (name: SampleName): string => readFileSync(getFile(name), 'utf8')

/** Returns the values of one series as `date value`, in file order. */
export const getValues = ({ observations }: Reading, series: string): string[] =>
  observations.filter((one) => one.series === series).map(({ date, value }) => `${date} ${value}`)

const inOrder = (a: Observation, b: Observation) => `${a.series} ${a.date}`.localeCompare(`${b.series} ${b.date}`, 'en')

export const sorted = ({ observations }: Reading): Observation[] => observations.toSorted(inOrder)

/** Reverses the lines of a file after the first `head`. */
export function turnedRound(text: string, head: number): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(end).slice(0, -1)
  return [...lines.slice(0, head), ...lines.slice(head).reverse(), ''].join(end)
}

/** Returns copies of the file, each truncated at a different position, but never at the end of a line. */
export function cutOff(text: string): string[] {
  const places = Array.from({ length: 40 }, (_, index) => Math.floor((text.length * (index + 0.5)) / 40))
  return places.map((place) => text.slice(0, place)).filter((cut) => cut !== '' && !cut.endsWith('\n'))
}

export const webPage = '<!DOCTYPE html>\n<html lang="en"><head><title>Sorry</title></head><body><p>Please try again later.</p></body></html>\n'
