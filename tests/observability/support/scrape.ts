import { expect } from 'vitest'
import type { Fixture } from '../../v1/support/fixture.ts'

/** Result of a scrape: values by line (`name{label="…"}`), and the type of each metric by name. */
export type Scrape = { readonly values: ReadonlyMap<string, number>; readonly types: ReadonlyMap<string, string>; readonly text: string }

const line = /^([a-z_:][a-z0-9_:]*)(\{(?:[a-z_]+="(?:[^"\\]|\\.)*"(?:,|(?=\})))*\})? (-?(?:\d[\d.e+-]*|Inf)|NaN|\+Inf)$/i

/** Parses the Prometheus text format. Throws on an invalid line. */
export function readScrape(text: string): Scrape {
  const [values, types] = [new Map<string, number>(), new Map<string, string>()]
  for (const one of text.split('\n').filter((found) => found !== '')) {
    const [, name = '', type = ''] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(one) ?? []
    if (name !== '') types.set(name, type)
    if (one.startsWith('#')) continue
    const [, metric, labels = '', value] = line.exec(one) ?? []
    expect(metric, one).toBeDefined()
    values.set(`${metric}${labels}`, Number(value))
  }
  return { values, types, text }
}

export const metricsToken = 'a secret token for the tests'.replaceAll(' ', '-')

export async function scrape(fixture: Fixture): Promise<Scrape> {
  const answer = await fixture.raw('GET', '/metrics', { authorization: `Bearer ${metricsToken}` })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return readScrape(answer.text)
}

/** Returns the total increase of all values with names and labels that start with `beginning`. */
export function growth(before: Scrape, after: Scrape, beginning: string): number {
  const sum = ({ values }: Scrape) => [...values].reduce((total, [name, value]) => (name.startsWith(beginning) ? total + value : total), 0)
  return sum(after) - sum(before)
}
