import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getFeeds } from '#server/cli/market-import.ts'
import { progressLine, type Terminal } from '#server/cli/output.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { ndjson, product, provider } from './feeds.ts'
import { marketDatabase } from './market-database.ts'

const market = marketDatabase()

/** Returns a fake terminal that records its lines, and a clock that the test moves. */
function terminal(isTerminal = true) {
  const written: string[] = []
  let ms = 0
  const keeps: Terminal = { isTerminal, write: (text) => void written.push(text.replace('\r\u001B[K', '')), now: () => ms }
  const pass = (by: number) => {
    ms += by
  }
  return { keeps, written, pass }
}

test('prints name, phase, progress bar and record count at most ten times a second', () => {
  const { keeps, written, pass } = terminal()
  const { say, end } = progressLine(keeps)
  say({ name: 'a.csv', phase: 'reading', share: 0, records: 0 })
  say({ name: 'a.csv', phase: 'reading', share: 0.2, records: 400 })
  pass(100)
  say({ name: 'a.csv', phase: 'reading', share: 0.459, records: 1_234 })
  pass(1)
  // A new phase is printed immediately.
  say({ name: 'a.csv', phase: 'comparing', share: null, records: 2_000 })
  say({ name: 'a.csv', phase: 'writing', share: null, records: 2_000 })
  say({ name: 'boe-bank-rate', phase: 'fetching' })
  pass(100)
  say({ name: 'b.csv', phase: 'reading', share: 1, records: 2 })
  end()
  expect(written).toEqual([
    'a.csv: reading  [--------------------]   0 %  0 records',
    'a.csv: reading  [#########-----------]  45 %  1,234 records',
    'a.csv: comparing  2,000 records',
    'a.csv: writing  2,000 records',
    'boe-bank-rate: fetching',
    'b.csv: reading  [####################] 100 %  2 records',
    '',
  ])
})

test('prints nothing without a terminal', () => {
  const { keeps, written } = terminal(false)
  const { say, end } = progressLine(keeps)
  say({ name: 'a.csv', phase: 'reading', share: 0, records: 0 })
  end()
  expect(written).toEqual([])
})

test('shows the share of bytes read up to 100%, then the comparison, then the write if anything changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-progress-'))
  try {
    await importFeed(market.pool, { source: ndjson(provider('harrow')), fileName: 'providers.ndjson', dataset: 'live' })
    const file = join(folder, 'products.ndjson')
    // Two-byte characters prove that progress counts bytes. The file spans several chunks, so progress grows in steps.
    await writeFile(file, ndjson(...Array.from({ length: 600 }, (_, index) => product(`p${index}`, { accountName: 'É'.repeat(60) }))))
    expect(createReadStream(file).readableHighWaterMark).toBeLessThan(600 * 400)
    const run = async () => {
      const { keeps, written, pass } = terminal()
      const { say } = progressLine(keeps)
      const steps = getFeeds([file], { dataset: 'live' }, (step) => {
        pass(100)
        say(step)
      })
      for (const feed of steps) await importFeed(market.pool, feed)
      return written
    }
    const first = await run()
    const percents = first.flatMap((line) => /reading {2}\[[#-]{20}\] +(\d+) %/.exec(line)?.[1] ?? []).map(Number)
    expect(percents.length).toBeGreaterThan(2)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(percents[0]).toBeLessThan(100)
    expect(percents.at(-1)).toBe(100)
    expect(first.slice(percents.length)).toEqual(['products.ndjson: comparing  600 records', 'products.ndjson: writing  600 records'])
    expect((await run()).at(-1)).toBe('products.ndjson: comparing  600 records')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
