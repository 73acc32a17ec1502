import { describe, expect, test } from 'vitest'
import { planNames } from '#server/api/contract/access.ts'
import type { Price } from '#server/api/contract/price-kinds.ts'
import { callableByTestKeys, catalogue, describePence, getReach } from '#server/api/documents/catalogue.ts'
import { limitLines } from '#server/api/documents/usage-rules.ts'
import { dataEndpoints } from '#server/api/endpoints/registry.ts'

const getLine = (path: string, overrides?: Parameters<typeof catalogue>[0]) => {
  const line = catalogue(overrides).find((one) => one.path === path)
  if (!line) throw new Error(`${path} has no line.`)
  return line
}

/** Parses a displayed price into its credits and whether they are per row or per request. */
function readCost(cost: string): Price {
  const [, credits = '0', , perRow] = /^(\d+) credits?( (per row))?$/.exec(cost) ?? []
  return { credits: Number(credits), per: perRow ? 'row' : 'request' }
}

/** Parses a displayed amount into pence. */
function readMoney(money: string | null): number {
  const [, pounds, pence] = /^(?:£(\d+(?:\.\d\d)?)|(\d+)p)(?: per row)?$/.exec(money ?? '0p') ?? []
  return pounds === undefined ? Number(pence) : Math.round(Number(pounds) * 100)
}

test('lists each data endpoint once, in order, with its cost', () => {
  const lines = catalogue()
  expect(lines.map(({ id }) => id)).toEqual(dataEndpoints.map(({ id }) => id))
  for (const [at, { method, path, summary, price, plan }] of dataEndpoints.entries()) {
    const line = lines[at]
    expect(line).toMatchObject({ method, path, summary })
    expect([path, readCost(line?.cost ?? '')]).toEqual([path, price])
    expect([path, readMoney(line?.money ?? null)]).toEqual([path, price.credits * 10])
    expect([path, line?.money?.endsWith(' per row') ?? false]).toEqual([path, price.credits > 0 && price.per === 'row'])
    expect([path, line?.plan?.toLowerCase()]).toEqual([path, plan])
  }
})

/** Rows of the table in the specification, as displayed. */
test.each([
  ['/ping', 'free', null, 'any key', 'Open', null],
  ['/rates', '1 credit per row', '10p per row', 'rates:read', 'Open', null],
  ['/rates/{sourceKey}', '1 credit', '10p', 'rates:read', 'Open', null],
  ['/history', '2 credits per row', '20p per row', 'history:read', 'Open', 'Enterprise'],
  ['/providers/{slug}/service-quality', '2 credits', '20p', 'providers:read', 'Open', null],
  ['/cards/rewards', '5 credits', '50p', 'cards:read', 'Test only', null],
  ['/market/overview', '5 credits', '50p', 'market:read', 'Test only', null],
  ['/fx/rates', '1 credit', '10p', 'cards:read or market:read', 'Open', null],
  ['/assistant', '10 credits', '£1', 'assistant', 'Coming soon', null],
])('shows %s with price %s (%s), scope %s and availability %s', (path, cost, money, scope, availability, plan) => {
  const line = getLine(path)
  expect(line).toMatchObject({ cost, money, scope, plan })
  // An endpoint that is not launched shows its future availability.
  expect(line.launched ? line.availability : (line.opensAs ?? 'Coming soon')).toBe(availability)
})

test('shows exactly the unreleased endpoints as coming soon', () => {
  const lines = catalogue()
  for (const [at, { path, kind, live }] of dataEndpoints.entries()) {
    const { launched, availability, opensAs } = lines[at] ?? getLine(path)
    expect([path, launched]).toEqual([path, kind !== 'planned' && live !== 'coming-soon'])
    expect([path, availability === 'Coming soon']).toEqual([path, !launched])
    if (launched) expect([path, opensAs]).toEqual([path, null])
  }
})

describe('availability overrides', () => {
  test('can open a test-only endpoint, restrict an open one and withdraw a launched one', () => {
    expect(getLine('/cards/rewards', new Map([['cards.rewards', 'open']]))).toMatchObject({ availability: 'Open', launched: true })
    expect(getLine('/rates', new Map([['rates.list', 'test-only']]))).toMatchObject({ availability: 'Test only', launched: true })
    expect(getLine('/rates', new Map([['rates.list', 'coming-soon']]))).toMatchObject({ availability: 'Coming soon', launched: false, opensAs: null })
  })

  test('cannot open an endpoint that is not implemented', () => {
    expect(getLine('/assistant', new Map([['assistant', 'open']]))).toMatchObject({ availability: 'Coming soon', launched: false })
  })
})

test('test keys can call 42 of 43 endpoints, and live keys 26 or 28 depending on the plan', () => {
  expect(catalogue()).toHaveLength(43)
  expect(callableByTestKeys()).toBe(42)
  expect(planNames.map((plan) => getReach(plan))).toEqual([
    { callable: 26, of: 28 },
    { callable: 26, of: 28 },
    { callable: 28, of: 28 },
  ])
})

test('shows the limits from the plan table', () => {
  expect(limitLines()).toEqual([
    { name: 'Hobby', perMinute: 60, perDay: 1_000, reach: '26 of 28 endpoints' },
    { name: 'Business', perMinute: 300, perDay: 20_000, reach: '26 of 28 endpoints' },
    { name: 'Enterprise', perMinute: 600, perDay: 100_000, reach: '28 of 28 endpoints' },
    { name: 'Test keys, any plan', perMinute: 10, perDay: null, reach: 'All 42, with sample data' },
  ])
})

test.each([
  [0, '0p'],
  [5, '5p'],
  [99, '99p'],
  [100, '£1'],
  [105, '£1.05'],
  [150, '£1.50'],
  [10_000, '£100'],
])('formats %d pence as %s', (pence, words) => {
  expect(describePence(pence)).toBe(words)
})
