import { expect, test } from 'vitest'
import { lastDays, lastHours } from '#components/portal/usage-view.ts'
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
  for (const { totals, groups, periods } of [byEndpoint, byKey, byStatus]) {
    expect(totals).toMatchObject({ calls: 6, credits: 8, rejected: 2, failed: 0, p50Ms: expect.any(Number), p95Ms: expect.any(Number) })
    const sum = (parts: { calls: number; credits: number }[]) => [
      parts.reduce((all, part) => all + part.calls, 0),
      parts.reduce((all, part) => all + part.credits, 0),
    ]
    expect(sum(groups)).toEqual([6, 8])
    expect(periods).toHaveLength(7)
    expect(periods.at(-1)).toMatchObject({ calls: 6, rejected: 2, p95Ms: expect.any(Number) })
    expect(sum(periods.flatMap(({ parts }: { parts: { calls: number; credits: number }[] }) => parts))).toEqual([6, 8])
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
  expect(byStatus.groups.map(({ id, calls }: { id: string; calls: number }) => [id, calls])).toEqual(
    expect.arrayContaining([
      ['200', 4],
      ['400', 1],
      ['404', 1],
    ]),
  )
  const { from, to } = week()
  const download = () => member.visitor.send(`/portal/usage/csv?from=${from}&to=${to}`)
  await expect.poll(async () => parseCsv(await (await download()).text()).reduce((sum, cells) => sum + Number(cells[6]), 0), pollOptions).toBe(6)
  const file = await download()
  expect([file.headers.get('content-type'), file.headers.get('cache-control')]).toEqual(['text/csv; charset=utf-8; header=present', 'private, no-store'])
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="usage-${from}-to-${to}.csv"`)
  const lines = parseCsv(await file.text())
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
  expect(page.text).toMatch(/Updated \d\d:\d\d:\d\d UTC\. Days and the daily limit are in UTC\./)
  expect(page.text).toContain('GET /rates')
  expect(page.text).toContain('Show as table')
  expect(page.html).toMatch(/<svg[^>]*preserveAspectRatio="none"/)
})

test('reads range, metric and grouping from the URL, and falls back to seven days if they are invalid', async () => {
  const member = await fixture.member()
  const empty = await member.visitor.open('/portal/usage')
  expect(empty.text).toContain('No calls in the last 7 days.')
  for (const [address, text] of [
    ['?days=30&by=key&show=calls', 'No calls in the last 30 days.'],
    ['?from=2026-01-01&to=2026-01-03', 'No calls in the selected dates.'],
    ['?from=2026-01-03&to=2026-01-01', 'No calls in the selected dates.'],
    ['?from=2025-10-02&to=2026-01-01', 'No calls in the selected dates.'],
    ['?from=2020-01-01&to=2026-01-01', 'No calls in the selected dates.'],
    ['?days=1', 'No calls in the last 24 hours.'],
    ['?days=365', 'No calls in the last 12 months.'],
    ['?days=7&grain=hour', 'No calls in the last 7 days.'],
    ['?days=7&status=5xx', 'No matching calls in the last 7 days.'],
    ['?from=2026-02-30&to=x&days=8&by=nothing', 'No calls in the last 7 days.'],
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
    { from: `${from}T00`, to: `${to}T01` },
  ]) {
    const answer = await ask(member, 'key', range)
    expect([answer.status, getError(answer)?.data.error]).toEqual([400, 'invalid_request'])
    expect((await member.visitor.send(`/portal/usage/csv?${new URLSearchParams(range)}`)).status).toBe(400)
  }
  expect((await fixture.visitor().open(`/portal/usage/csv?from=${from}&to=${to}`)).path).toMatch(/^\/sign-in/)
})

test('reports by hour, day and month agree with each other and with the balance right after each call', async () => {
  const member = await fixture.member({ credits: 50 })
  const [one, other] = [await createKey(member, 'One'), await createKey(member, 'Other')]
  const today = lastDays(1, new Date())
  const months = { from: `${today.from.slice(0, 7)}-01`, to: today.to }
  const total = async (range: object, filter: object = {}) => getData(await ask(member, 'key', { ...range, ...filter })).totals
  const hours = () => lastHours(new Date())
  for (let count = 1; count <= 4; count++) {
    expect(await call(count === 1 ? other.key : one.key, '/rates?limit=2')).toBe(200)
    const { balanceCredits, creditsToday } = getData(await member.visitor.call('account.overview', 'query'))
    expect([balanceCredits, creditsToday]).toEqual([50 - 2 * count, 2 * count])
    for (const range of [{ ...today, grain: 'day' }, { ...months, grain: 'month' }, hours()]) {
      expect(await total(range)).toMatchObject({ calls: count, credits: 2 * count })
      expect(await total(range, { key: other.id })).toMatchObject({ calls: 1, credits: 2 })
    }
  }
  expect(await call(one.key, '/rates?limit=0')).toBe(400)
  for (const range of [{ ...today, grain: 'day' }, hours()]) {
    expect(await total(range, { status: '4xx' })).toMatchObject({ calls: 1, credits: 0, rejected: 1 })
    expect(await total(range, { status: 200 })).toMatchObject({ calls: 4, credits: 8, rejected: 0 })
    expect(await total(range, { endpoint: 'service.ping' })).toMatchObject({ calls: 0 })
    expect(await total(range, { endpoint: 'no.such' })).toMatchObject({ calls: 0 })
  }
  // The same figures remain after the roll-up.
  const counted =
    'SELECT (SELECT sum(requests)::int FROM usage_hour WHERE account_id = $1) AS hour, (SELECT sum(requests)::int FROM usage_day WHERE account_id = $1) AS day'
  await expect.poll(() => fixture.sql(counted, [member.id]), pollOptions).toEqual([{ hour: 5, day: 5 }])
  for (const range of [{ ...today, grain: 'day' }, { ...months, grain: 'month' }, hours()]) expect(await total(range)).toMatchObject({ calls: 5, credits: 8 })
})

test('rejects ranges that are too long for their periods', async () => {
  const member = await fixture.member()
  for (const [days, grain] of [
    [9, 'hour'],
    [93, 'day'],
    [800, 'month'],
  ] as const)
    expect([grain, (await ask(member, 'key', { ...lastDays(days, new Date()), grain })).status]).toEqual([grain, 400])
})

test('states the days left only after three full days of usage', async () => {
  const member = await fixture.member({ credits: 90 })
  const { id } = await createKey(member, 'Daily')
  const overview = async () => getData(await member.visitor.call('account.overview', 'query'))
  const addDay = (ago: number) =>
    fixture.sql("INSERT INTO usage_day SELECT account_id, (now() AT TIME ZONE 'UTC')::date - $1::int, id, 3, 200, 10, 10 FROM api_key WHERE public_id = $2", [
      ago,
      id,
    ])
  for (const ago of [0, 1, 2]) await addDay(ago)
  expect(await overview()).toMatchObject({ daysLeft: null, paceDays: 2, creditsToday: 10 })
  await addDay(3)
  // 30 credits in three full days.
  expect(await overview()).toMatchObject({ daysLeft: 9, paceDays: 3 })
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

test('shows the reference of a failed section and hides the database error', async () => {
  const member = await fixture.member()
  await fixture.sql('ALTER TABLE usage_latency RENAME TO usage_latency_gone')
  const [page, answer] = [await member.visitor.open('/portal/usage'), await ask(member, 'key')]
  await fixture.sql('ALTER TABLE usage_latency_gone RENAME TO usage_latency')
  // The browser repeats the request and shows the error; e2e/see-usage.spec.ts checks that.
  expect(page.text).toContain('Usage')
  const reference = getError(answer)?.data.reference ?? 'none'
  expect(fixture.service.log()).toContain(`"reference":"${reference}"`)
  for (const text of [page.html, JSON.stringify(getError(answer))]) expect(text).not.toContain('usage_latency')
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
