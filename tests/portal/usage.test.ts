import { expect, test } from 'vitest'
import { lastDays } from '#components/portal/usage-view.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { latencyBoundsMs } from '#server/metering/traffic.ts'
import { verifies } from '../requirements/verifies.ts'
import { startProcess } from '../support/service-process.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

const pollOptions = { timeout: 15_000, interval: 50 }
const form = { scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
const week = () => lastDays(7, new Date())

async function createKey({ visitor }: Member, name: string, mode: 'live' | 'test' = 'live'): Promise<{ id: string; key: string }> {
  return getData(await visitor.call('keys.create', 'mutation', { ...form, name, mode }))
}

async function call(key: string, target: string): Promise<number> {
  const answer = await fetch(`${fixture.origin}/v1${target}`, { headers: { authorization: `Bearer ${key}` } })
  await answer.text()
  return answer.status
}

type By = 'endpoint' | 'key' | 'status'
const ask = ({ visitor }: Member, by: By, range: object = week()) => visitor.call('usage.report', 'query', { ...range, by })
const report = async (member: Member, by: By = 'endpoint') => getData(await ask(member, by))
const untilCalls = (member: Member, calls: number) => expect.poll(async () => (await report(member)).totals.calls, pollOptions).toBe(calls)

/** Parses the rows of a CSV file, without its header. Cells in these tests contain no line breaks. */
const parseCsv = (csv: string): string[][] =>
  csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? ''))

test('usage totals match the request log, and the CSV file matches the page', async () => {
  const member = await fixture.member({ credits: 50 })
  const [live, sample] = [await createKey(member, '=HYPERLINK("https://evil.example"),x'), await createKey(member, '@sum', 'test')]
  for (const target of ['/rates?limit=5', '/rates?limit=3', '/rates?limit=0', '/ping']) await call(live.key, target)
  for (const target of ['/rates?limit=5', '/nowhere']) await call(sample.key, target)
  await untilCalls(member, 6)
  const [byEndpoint, byKey, byStatus] = [await report(member), await report(member, 'key'), await report(member, 'status')]
  for (const { totals, groups, days } of [byEndpoint, byKey, byStatus]) {
    expect(totals).toMatchObject({ calls: 6, credits: 8, p50Ms: expect.any(Number), p95Ms: expect.any(Number) })
    const sum = (parts: { calls: number; credits: number }[]) => [
      parts.reduce((all, part) => all + part.calls, 0),
      parts.reduce((all, part) => all + part.credits, 0),
    ]
    expect(sum(groups)).toEqual([6, 8])
    expect(days).toHaveLength(7)
    expect(sum(days.flatMap(({ parts }: { parts: { calls: number; credits: number }[] }) => parts))).toEqual([6, 8])
  }
  expect(byEndpoint.groups.map(({ id, calls }: { id: string; calls: number }) => [id, calls])).toEqual([
    ['rates.list', 4],
    ['service.ping', 1],
    ['unknown', 1],
  ])
  expect(byKey.groups.map(({ id, mode, credits }: { id: string; mode: string; credits: number }) => [id, mode, credits])).toEqual([
    [live.id, 'live', 8],
    [sample.id, 'test', 0],
  ])
  const statuses = byStatus.groups.map(({ id, calls }: { id: string; calls: number }) => [id, calls])
  expect(statuses).toEqual(
    expect.arrayContaining([
      ['200', 4],
      ['400', 1],
      ['404', 1],
    ]),
  )
  const { from, to } = week()
  const file = await member.visitor.send(`/portal/usage/csv?from=${from}&to=${to}`)
  expect([file.headers.get('content-type'), file.headers.get('cache-control')]).toEqual(['text/csv; charset=utf-8; header=present', 'private, no-store'])
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="usage-${from}-to-${to}.csv"`)
  const lines = parseCsv(await file.text())
  expect(lines.reduce((sum, cells) => sum + Number(cells[6]), 0)).toBe(6)
  expect(lines.reduce((sum, cells) => sum + Number(cells[7]), 0)).toBe(8)
  // Key names are escaped, so that spreadsheets don't run them as formulas.
  expect(new Set(lines.map((cells) => cells[3]))).toEqual(new Set([`'=HYPERLINK("https://evil.example"),x`, "'@sum"]))
})

verifies('portal/usage-page-lags-seconds', async () => {
  const member = await fixture.member({ credits: 10 })
  const { key } = await createKey(member, 'One')
  await call(key, '/rates?limit=2')
  await untilCalls(member, 1)
  await expect.poll(async () => Date.now() - Date.parse(String((await report(member)).asOf)), pollOptions).toBeLessThan(5_000)
  const page = await member.visitor.open('/portal/usage')
  expect(page.text).toMatch(/Updated \d\d:\d\d:\d\d UTC\. Your balance is always current\. Days and the daily limit are in UTC\./)
  expect(page.text).toContain('GET /rates')
  expect(page.text).toContain('Show as table')
  expect(page.html).toMatch(/<svg[^>]*preserveAspectRatio="none"/)
})

test('reads range, metric and grouping from the URL, and falls back to seven days if they are invalid', async () => {
  const member = await fixture.member()
  const empty = await member.visitor.open('/portal/usage')
  expect(empty.text).toContain('No calls in these 7 days.')
  for (const [address, text] of [
    ['?days=30&by=key&show=calls', 'No calls in these 30 days.'],
    ['?from=2026-01-01&to=2026-01-03', 'No calls in these 3 days.'],
    ['?from=2026-01-03&to=2026-01-01', 'No calls in these 3 days.'],
    ['?from=2020-01-01&to=2026-01-01', 'No calls in these 92 days.'],
    ['?from=2026-02-30&to=x&days=8&by=nothing', 'No calls in these 7 days.'],
  ]) {
    const page = await member.visitor.open(`/portal/usage${address}`)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(text ?? '')])
  }
  const { from, to } = week()
  for (const range of [
    { from: to, to: from },
    { from: '2020-01-01', to },
    { from: '2026-02-30', to },
    { from: '', to: '' },
  ]) {
    const answer = await ask(member, 'key', range)
    expect([answer.status, getError(answer)?.data.error]).toEqual([400, 'invalid_request'])
    expect((await member.visitor.send(`/portal/usage/csv?${new URLSearchParams(range)}`)).status).toBe(400)
  }
  expect((await fixture.visitor().open(`/portal/usage/csv?from=${from}&to=${to}`)).path).toMatch(/^\/sign-in/)
})

test('excludes other accounts from reports and CSV files', async () => {
  const [one, two] = [await fixture.member(), await fixture.member()]
  await call((await createKey(one, 'Mine alone', 'test')).key, '/ping')
  await untilCalls(one, 1)
  const { from, to } = week()
  for (const by of ['endpoint', 'key', 'status'] as const) expect((await report(two, by)).totals).toMatchObject({ calls: 0, credits: 0 })
  const file = await two.visitor.send(`/portal/usage/csv?from=${from}&to=${to}`)
  expect(parseCsv(await file.text())).toEqual([])
})

test('replaces a failed section with an error message that includes the log reference', async () => {
  const member = await fixture.member()
  await fixture.sql('ALTER TABLE usage_latency RENAME TO usage_latency_gone')
  const page = await member.visitor.open('/portal/usage')
  await fixture.sql('ALTER TABLE usage_latency_gone RENAME TO usage_latency')
  expect(page.text).toContain("We couldn't load your usage. Your keys and credits are not affected.")
  const reference = /Reference (\w{10})/.exec(page.text)?.[1] ?? 'none'
  expect(fixture.service.log()).toContain(`"reference":"${reference}"`)
  expect(page.html).not.toContain('usage_latency')
})

test('latency buckets in the database match the code', async () => {
  const edges = latencyBoundsMs.flatMap((bound) => [bound - 1, bound])
  const rows = await fixture.sql<{ bucket: number }>('SELECT duration_bucket(ms) AS bucket FROM unnest($1::bigint[]) WITH ORDINALITY AS e(ms, n) ORDER BY n', [
    edges,
  ])
  expect(rows.map(({ bucket }) => bucket)).toEqual(edges.map((ms) => latencyBoundsMs.filter((bound) => bound <= ms).length))
})

test('usage, log and ledger agree after a process was killed during calls', async () => {
  const member = await fixture.member({ credits: 5_000 })
  await fixture.sql('UPDATE wallet SET minute_limit = 100000, day_limit = 100000, version = version + 1 WHERE account_id = $1', [member.id])
  const { key } = await createKey(member, 'Killed')
  const [row] = await fixture.sql<{ url: string }>('SELECT current_database() AS url')
  const address = new URL(String((fixture.pool as unknown as { options: { connectionString: string } }).options.connectionString))
  expect(address.pathname).toBe(`/${row?.url}`)
  const second = await startProcess({ databaseUrl: address.href, mount: 'lean', dataDir: '.data-unused', env: { ROLES: 'gateway,worker' } })
  const calls = Array.from({ length: 6 }, async () => {
    for (let index = 0; index < 200; index++) {
      const status = await fetch(`${second.api}/rates?limit=2`, { headers: { authorization: `Bearer ${key}` } }).then(
        (answer) => answer.text().then(() => answer.status),
        () => 0,
      )
      if (status === 0) return
    }
  })
  await expect.poll(async () => (await fixture.sql('SELECT FROM request_log WHERE account_id = $1', [member.id])).length, pollOptions).toBeGreaterThan(20)
  await second.kill()
  await Promise.all(calls)
  const differences = () =>
    fixture.sql(
      `SELECT l.calls, u.calls AS added, l.credits, u.credits AS added_credits, t.calls AS timed FROM
         (SELECT count(*)::int AS calls, sum(credits)::int AS credits FROM request_log WHERE account_id = $1) l,
         (SELECT sum(requests)::int AS calls, sum(credits)::int AS credits FROM usage_day WHERE account_id = $1) u,
         (SELECT sum(requests)::int AS calls FROM usage_latency WHERE account_id = $1) t
       WHERE (l.calls, l.credits, l.calls) IS DISTINCT FROM (u.calls, u.credits, t.calls)`,
      [member.id],
    )
  await expect.poll(differences, pollOptions).toEqual([])
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
}, 60_000)
