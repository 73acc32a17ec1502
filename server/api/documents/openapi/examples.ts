import { dataScopes, describeScope, starterCredits, testKeyPerMinute } from '#server/api/contract/access.ts'
import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import { attribution } from '#server/api/contract/envelope.ts'
import { RefusedError } from '#server/api/contract/errors.ts'
import { describePrice } from '#server/api/contract/price-kinds.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { allEndpoints } from '#server/api/endpoints/registry.ts'
import { listSnapshots } from '#server/api/endpoints/snapshots/list-snapshots.endpoint.ts'
import { snapshotLists } from '#server/api/endpoints/snapshots/snapshot-lists.ts'
import { availabilityNow } from '../catalogue.ts'
import { type EndpointParameter, getParameters } from '../endpoint-parameters.ts'
import { pageContext } from '../markets.ts'
import type { PublishedValues } from '../published-values.ts'
import { exampleMoment, exampleOwnAccount } from './example-own-account.ts'
import { exampleSnapshots } from './example-snapshots.ts'
import type { Entry } from './names.ts'

/** Returns the example response of `/me` for an account with a test key. */
function exampleAccount({ overrides }: PublishedValues): AccountSummary {
  const endpoints = allEndpoints.map((entry) => {
    const availability = availabilityNow(entry, overrides)
    const callable = availability !== 'coming-soon'
    const { method, path, scope, price } = entry
    return { method, path, scope: describeScope(scope), cost: describePrice(price), availability, callable, reason: callable ? null : 'not_found' }
  })
  return {
    account: { id: 'acc_4Fzq8LmT0aWc2XyP', name: 'Example Ltd', status: 'open', plan: 'hobby' },
    key: {
      id: 'key_7Hd2KsVb9QeR1ZtN',
      mode: 'test',
      scopes: dataScopes,
      ipAllowList: [],
      createdAt: exampleMoment,
      expiresAt: null,
      prefix: 'svc_test_…x7Qa',
    },
    balance: { credits: starterCredits },
    rateLimits: { perMinute: testKeyPerMinute, perDay: null },
    usage: { asOf: exampleMoment, requestsToday: 1, creditsToday: 0, remainingToday: null },
    endpoints,
  }
}

/** Request id in all examples. */
export const exampleRequestId = '019aa5c3d2f07b1c8e4a6f2d9b3c5e71'

/** Example call with a test key and its response, produced by the endpoint's handler from the sample dataset. */
export type ExampleCall = {
  /** Values of path and query parameters, as strings. */
  readonly values: Readonly<Record<string, string>>
  /** Path after `/v1`, with the query. */
  readonly target: string
  readonly body: { readonly data: unknown; readonly meta: object }
}

const exampleCursor = 'Q3Vyc29yIG9mIHRoZSBuZXh0IHBhZ2U'
/** Rows of a list in an example response. */
export const rowsShown = 2
const maxNested = 3

/** Realistic values by parameter name; a name has the same meaning in every endpoint. */
const typical: Readonly<Record<string, string>> = {
  amount: '10000',
  balance: '10000',
  monthly: '200',
  months: '12',
  rate: '4.50',
  inflation: '2.50',
  income: '45000',
  interest: '1200',
  used: '5000',
  cash: '5000',
  age: '35',
  limit: '10',
  minRate: '4.00',
  maxRate: '5.00',
  minTermMonths: '6',
  maxTermMonths: '24',
  maxNoticeDays: '95',
  minBalance: '1000',
}

/** Returns the keys and slugs of the sample dataset, by the name of the parameter that accepts them. */
function getKeys({ sample }: PublishedValues): Readonly<Record<string, readonly string[]>> {
  const slugs = sample.providers().map(({ slug }) => slug)
  const products = sample.referenceProducts({}).map(({ sourceKey }) => sourceKey)
  const groups = [...sample.licenceGroups()]
  return { slug: slugs, provider: slugs, fscsGroup: groups, sourceKey: [...products, ...sample.cards().map(({ sourceKey }) => sourceKey)] }
}

/** Suggests a value for a parameter from its schema; undefined if the schema is not specific enough. */
function suggestedValue({ name, schema }: EndpointParameter, keys: ReturnType<typeof getKeys>): string | undefined {
  const [first] = [schema['examples'], schema['enum']].find((list) => Array.isArray(list)) ?? []
  if (first !== undefined) return String(first)
  if (name in keys) return keys[name]?.[0]
  if (name in typical) return typical[name]
  if (schema['type'] === 'boolean') return 'true'
  return typeof schema['minimum'] === 'number' ? String(Math.max(1, schema['minimum'])) : undefined
}

/** Returns the parameters of possible example calls. The caller tries each in turn, because not every key works in the path of every endpoint. */
function getCalls(entry: Entry, facts: PublishedValues): Record<string, string>[] {
  const keys = getKeys(facts)
  const needed = getParameters(entry).filter(({ required }) => required)
  const query = needed.filter((one) => one.in === 'query').map((one) => [one.name, suggestedValue(one, keys) ?? ''])
  const base: Record<string, string> = { ...(entry.example ?? Object.fromEntries(query)) }
  const [inPath] = needed.filter((one) => one.in === 'path')
  if (inPath === undefined) return [base]
  const values = keys[inPath.name] ?? [suggestedValue(inPath, keys) ?? '']
  return values.map((value) => ({ [inPath.name]: value, ...base }))
}

function getContext(facts: PublishedValues): Context {
  const { publicUrl, sample } = facts
  return { ...pageContext(sample, 'test'), publicUrl, requestId: exampleRequestId, account: async () => exampleAccount(facts), own: () => exampleOwnAccount }
}

/** Returns the result of the handler, or null if it rejects the call or has no rows. */
async function read(entry: Entry, values: Readonly<Record<string, string>>, context: Context): Promise<unknown> {
  const parsed = entry.input.safeParse(values)
  if (!parsed.success) return null
  try {
    const body = entry.body === null ? {} : { body: entry.body.parse(entry.exampleBody) }
    const result = await entry.read({ ...parsed.data, ...body }, { limit: rowsShown, after: null }, context)
    return entry.kind !== 'item' && (result as { rows: readonly unknown[] }).rows.length === 0 ? null : result
  } catch (error) {
    if (error instanceof RefusedError) return null
    throw error
  }
}

/** Shortens lists inside a record to keep the example readable. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxNested).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shorten(part)]))
}

function envelope(entry: Entry, result: unknown): ExampleCall['body'] {
  const page = entry.kind === 'item' ? null : (result as { rows: readonly unknown[]; more: boolean })
  const rows = page?.rows.slice(0, rowsShown)
  const paging = page && { limit: entry.kind === 'list' ? rowsShown : rows?.length, nextCursor: page.more ? exampleCursor : null }
  return {
    data: shorten(rows ?? result),
    meta: {
      requestId: `req_${exampleRequestId}`,
      generatedAt: exampleMoment,
      creditsCharged: 0,
      creditsBalance: starterCredits,
      attribution,
      ...paging,
      ...('updatedSince' in entry.input.shape ? { updatedUntil: exampleMoment } : {}),
      sample: true,
    },
  }
}

/** Returns the path after `/v1` and the query of a call. */
export function getTarget({ path }: Entry, values: Readonly<Record<string, string>>): string {
  const filled = Object.entries(values).reduce<string>((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path)
  const query = new URLSearchParams(Object.entries(values).filter(([name]) => !path.includes(`{${name}}`)))
  return query.size === 0 ? filled : `${filled}?${query}`
}

/** Returns the example call of a file. Its rows are those of the list with the same rows. */
async function fileCall(entry: Entry, facts: PublishedValues): Promise<ExampleCall | null> {
  const list = snapshotLists.find(({ path }) => path === entry.path)
  const example = list ? await exampleCall(list.endpoint as Entry, facts) : null
  if (!(list && example)) return null
  const rows = example.body.data as readonly object[]
  const data = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => list.fields.includes(name))))
  return { values: {}, target: entry.path, body: { ...example.body, data } }
}

/** Returns an endpoint's example call; null if the endpoint hasn't launched, or if the sample dataset has no data for it. */
export async function exampleCall(entry: Entry, facts: PublishedValues): Promise<ExampleCall | null> {
  if (entry.kind === 'planned') return null
  if (entry.kind === 'file') return fileCall(entry, facts)
  if (entry.id === listSnapshots.id) return { values: {}, target: entry.path, body: envelope(entry, { rows: exampleSnapshots(facts.publicUrl), more: false }) }
  const context = getContext(facts)
  for (const values of getCalls(entry, facts)) {
    const result = await read(entry, values, context)
    if (result !== null) return { values, target: getTarget(entry, values), body: envelope(entry, result) }
  }
  return null
}

/** Returns an example value for a parameter, even if the example call omits it; undefined if there is none. */
export function exampleValue(parameter: EndpointParameter, example: ExampleCall | null, facts: PublishedValues): string | undefined {
  return example?.values[parameter.name] ?? suggestedValue(parameter, getKeys(facts))
}
