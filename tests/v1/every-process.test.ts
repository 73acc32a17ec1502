import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { accountOffer, card, type Line, ndjson, product, provider, survey, switchOffer, travelCard } from '../market/feeds.ts'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, call, makeAccount, makeKey } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { percent } from './support/history.ts'

/** Three processes that share one database, one of which runs Next. After an import, the next call to each process must return the new data. */
const database = ownDatabase({ max: 4 })
const processes: ServiceProcess[] = []
let dataDir = ''
const keys = { live: '', sample: '' }

const take = (dataset: 'live' | 'sample', ...lines: Line[]) =>
  importFeed(database.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset, partial: true })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-processes-'))
  // The processes start one after another, because the first one migrates the database.
  for (const mount of ['lean', 'lean', 'next'] as const) processes.push(await startProcess({ databaseUrl: database.url, mount, dataDir }))
  const account = await makeAccount(database.pool, { credits: 1_000_000, perMinute: 100_000, perDay: 1_000_000 })
  keys.live = (await makeKey(database.pool, account)).key
  const sample = await makeKey(database.pool, account, { mode: 'test' })
  keys.sample = sample.key
  await database.pool.query('UPDATE key_meter m SET own_minute_limit = 1000000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [sample.id])
  for (const dataset of ['live', 'sample'] as const) {
    await take(dataset, provider('harrow'))
    await take(dataset, ...lines(0)[dataset].slice(0, 1))
  }
})

afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()))
  await rm(dataDir, { recursive: true, force: true })
})

/** Returns the records to import in a round: one of each kind, with values that differ between rounds. */
function lines(round: number) {
  const rate = percent(310 + 7 * round)
  const saver = product('fresh', { rate, baseRate: rate, boostRate: null, boostDuration: null, accountType: 'notice', noticeDays: 30 })
  return {
    live: [saver],
    sample: [
      saver,
      switchOffer('fresh-switch', { bonusAmount: `${100 + round}.00` }),
      accountOffer('fresh-account', { headline: `Headline ${round}` }),
      card('fresh-rewards', { earnRate: `1.0${round}` }),
      travelCard('fresh-travel', { fxFee: `1.0${round}` }),
      survey('harrow', 'GB', { overall: { percent: 60 + round, rank: 1, rankOf: 17 } }),
      provider('harrow', { headquarters: `Town ${round}` }),
    ],
  }
}

/** Returns a path for each imported record, with a value that the response must contain. */
function pathsToCheck(round: number): [dataset: 'live' | 'sample', path: string, seen: string][] {
  const rate = percent(310 + 7 * round)
  const ofRates = (dataset: 'live' | 'sample') =>
    ['/rates/fresh', '/rates?type=notice&provider=harrow', '/history?sourceKey=fresh', '/history/components?sourceKey=fresh', '/providers/harrow'].map(
      (path): ['live' | 'sample', string, string] => [dataset, path, `"${rate}"`],
    )
  return [
    ...ofRates('live'),
    ...ofRates('sample'),
    ['sample', '/rate-trends?sourceKey=fresh', `"${rate}"`],
    ['sample', '/switch-offers?limit=50', `"bonusAmount":"${100 + round}.00"`],
    ['sample', '/account-offers?limit=50', `Headline ${round}`],
    ['sample', '/cards/rewards?limit=50', `"1.0${round}"`],
    ['sample', '/cards/travel?limit=50', `"1.0${round}"`],
    ['sample', '/providers/harrow/service-quality', `"percent":${60 + round}`],
    ['sample', '/providers/harrow', `Town ${round}`],
  ]
}

const ask = (service: ServiceProcess, dataset: 'live' | 'sample', path: string, tag = '') =>
  call(service.api, path, keys[dataset], tag === '' ? {} : { headers: { 'if-none-match': tag } })

verifies('market/imports-reach-every-process', async () => {
  let tags = new Map<string, string>()
  for (const round of [1, 2, 3]) {
    for (const dataset of ['live', 'sample'] as const) for (const line of lines(round)[dataset]) await take(dataset, line)
    const now = new Map<string, string>()
    for (const [dataset, path, seen] of pathsToCheck(round)) {
      const name = `${dataset} ${path}`
      const answers = await Promise.all(processes.map((service) => ask(service, dataset, path, tags.get(name))))
      expect([name, answers.map(({ status }) => status)]).toEqual([name, processes.map(() => 200)])
      for (const { text } of answers) expect(text).toContain(seen)
      // The same rows have the same ETag in every process.
      const [tag = '', ...others] = [...new Set(answers.map(({ headers }) => headers.get('etag') ?? ''))]
      expect([name, others, tag === tags.get(name)]).toEqual([name, [], false])
      const again = await Promise.all(processes.map((service) => ask(service, dataset, path, tag)))
      expect([name, again.map(({ status }) => status)]).toEqual([name, processes.map(() => 304)])
      now.set(name, tag)
    }
    tags = now
  }
})

/** Pages through a list, rotating through the processes, and runs `between` after each page except the last. */
async function listAll(dataset: 'live' | 'sample', path: string, limit: number, between: (page: number) => Promise<unknown>): Promise<string[]> {
  const found: string[] = []
  for (let page = 0, cursor: string | null = ''; cursor !== null; page++) {
    const service = processes[page % processes.length]
    if (!service) throw new Error('No process.')
    const { status, text, body }: ApiAnswer = await ask(service, dataset, `${path}limit=${limit}${cursor && `&cursor=${cursor}`}`)
    expect(status, text).toBe(200)
    found.push(...body.data.map((row: Record<string, string>) => row['sourceKey'] ?? row['offerKey'] ?? row['slug']))
    cursor = body.meta.nextCursor
    if (cursor !== null) await between(page)
  }
  return found
}

const nothing = async () => undefined

verifies('market/rates-walk-keeps-its-order', async () => {
  const moving = Array.from({ length: 12 }, (_, index) => `moving-${index}`)
  const withRates = (page: number) =>
    moving.map((sourceKey, index) => {
      // The rates change with each import, so that products move up and down the list.
      const rate = percent(1 + ((index * 97 + page * 331) % 1_900))
      return product(sourceKey, { rate, baseRate: rate, boostRate: null, boostDuration: null, accountType: 'notice', noticeDays: 30 })
    })
  await take('live', ...withRates(0))
  const before = await listAll('live', '/rates?type=notice&', 50, nothing)
  let page = 0
  const during = await listAll('live', '/rates?type=notice&', 7, () => take('live', ...withRates(++page)))
  expect(page).toBeGreaterThan(10)
  expect(during).toEqual(before)
})

verifies('lists/cursors-hold-while-imports-happen', async () => {
  // These are the lists whose order can change. Two digits determine the position of a row.
  const kinds: [string, (key: string, digits: string) => Line][] = [
    ['/providers?', (key, digits) => provider(key, { name: `${String.fromCharCode(65 + (Number(digits) % 26))}${digits} ${key} Bank` })],
    ['/switch-offers?', (key, digits) => switchOffer(key, { bonusAmount: `2${digits}.00` })],
    ['/account-offers?', (key, digits) => accountOffer(key, { headline: `Headline ${digits}` })],
    ['/cards/rewards?', (key, digits) => card(key, { earnRate: `1.${digits}` })],
    ['/cards/travel?', (key, digits) => travelCard(key, { fxFee: `1.${digits}` })],
  ]
  const news = ['a-new', 'm-new-one', 'z-new-other-one', 'b-n', 'p-new-third', 'y-new-fourth-one', 'c-new', 'n-new-fifth', 'x-new-of-all']
  const moving = Array.from({ length: 12 }, (_, index) => `moving-${index}`)
  for (const [path, line] of kinds) {
    // The positions change with each import, so that rows move up and down the list. Each import also adds a row.
    const moved = (page: number) => moving.map((key, index) => line(key, String((index * 37 + page * 53) % 100).padStart(2, '0')))
    await take('sample', ...moved(0))
    const before = await listAll('sample', path, 50, nothing)
    let page = 0
    const during = await listAll('sample', path, 7, () => take('sample', ...moved(++page), line(news[page % news.length] ?? '', String(page * 11).slice(-2))))
    expect([path, during.filter((key) => before.includes(key))]).toEqual([path, before])
    expect([path, new Set(during).size]).toEqual([path, during.length])
  }
})

verifies('sharing/each-request-charged', 'charges every request, whichever process serves it, even during imports', async () => {
  expect((await verifyLedger(database.pool)).differences).toEqual([])
})
