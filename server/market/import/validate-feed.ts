import type { z } from 'zod'
import { suggestion } from '../../contract/nearest.ts'
import { percent } from '../decimal.ts'
import { type FaultList, FeedError } from './feed-error.ts'
import { type FeedKind, feedKinds, isFeedKind, kindOfFields, kindOfFileName } from './feed-kind.ts'
import { brokenRules, unsharedRanks } from './feed-rules.ts'
import { feedSchemas, type productSchema } from './feed-schema.ts'
import type { RawFeed, RawRecord } from './read-feed.ts'

/** A record that passed, by the names of its fields: rates in hundredths of a percent, money in pence, null for what was left out. */
export type FeedRecord = { readonly line: number; readonly values: Readonly<Record<string, string | number | boolean | null>> }

/** A feed whose kind is known. Its records are checked as they are gone through; at the end it throws when any line was faulty. */
export type ValidFeed = { readonly kind: FeedKind; readonly batches: AsyncGenerator<readonly FeedRecord[], void, void> }

/** More than any market has. Past changes are not held in memory. */
const maximumRecords = (kind: FeedKind) => (kind === 'rate_history' ? 10_000_000 : 500_000)

type ProductRecord = z.output<typeof productSchema>

/** What must hold between the fields of a product: [field, problem]. */
function productRules(product: ProductRecord): (readonly [field: string, problem: string])[] {
  const { rate, baseRate, boostRate, boostDuration, minBalance, maxBalance, maxMonthlyDeposit, accountType } = product
  const rules: (readonly [broken: boolean, field: string, problem: string])[] = [
    [rate !== baseRate + boostRate, 'rate', `must be baseRate and boostRate together, ${percent(baseRate + boostRate)}, but is ${percent(rate)}`],
    [boostRate > 0 && boostDuration === null, 'boostDuration', 'is missing although there is a bonus'],
    [boostRate === 0 && boostDuration !== null, 'boostDuration', 'must be left out when there is no bonus'],
    [maxBalance !== null && maxBalance < minBalance, 'maxBalance', 'must not be below minBalance'],
    [maxMonthlyDeposit === 0, 'maxMonthlyDeposit', 'must be more than 0.00'],
    [accountType === 'fixed-rate' && product.termMonths === null, 'termMonths', 'is missing; a fixed-rate account has a term'],
    [accountType === 'notice' && product.noticeDays === null, 'noticeDays', 'is missing; a notice account has a notice period'],
  ]
  return rules.filter(([broken]) => broken).map(([, field, problem]) => [field, problem])
}

/** The first word that says the kind: the field of the first record, the name of the file, the fields themselves. */
function findKind(fileName: string, { fields }: RawRecord): FeedKind | undefined {
  const said = fields.kind
  if (said !== undefined) return isFeedKind(said) ? said : undefined
  return kindOfFileName(fileName) ?? kindOfFields(Object.keys(fields))
}

function kindOf(fileName: string, first: RawRecord): FeedKind {
  const kind = findKind(fileName, first)
  if (kind !== undefined) return kind
  const problem = `must be one of ${feedKinds.join(', ')}; give it in each line or name the file for it, such as products.ndjson`
  throw new FeedError(fileName, [{ line: first.line, field: 'kind', problem }], 1)
}

/** What is wrong inside of a list or an object that was given in one of its forms; nothing when the value has none of them. */
function innerIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return []
  const isInside = (one: z.core.$ZodIssue) => one.path.length > 0 || one.code === 'unrecognized_keys' || one.code === 'too_big'
  return issue.errors.find((issues) => issues.some(isInside)) ?? []
}

function addIssue(faults: FaultList, line: number, kind: FeedKind, issue: z.core.$ZodIssue, within: readonly PropertyKey[] = []): void {
  const path = [...within, ...issue.path]
  const inner = innerIssues(issue)
  for (const one of inner) addIssue(faults, line, kind, one, path)
  if (inner.length > 0) return
  if (issue.code !== 'unrecognized_keys') {
    faults.add(line, path.join('.') || null, issue.message)
    return
  }
  const known = path.length > 0 ? [] : Object.keys(feedSchemas[kind].shape)
  for (const key of issue.keys) faults.add(line, [...path, key].join('.'), `is not a field of a ${kind} feed.${suggestion(key, known)}`)
}

/** Checks one record; undefined when it is faulty. */
export function readRecord(kind: FeedKind, { line, fields }: RawRecord, faults: FaultList): FeedRecord | undefined {
  const said = fields.kind
  if (isFeedKind(said) && said !== kind) {
    faults.add(line, 'kind', `is ${said}, but this is a ${kind} feed; one feed holds one kind`)
    return undefined
  }
  const read = feedSchemas[kind].safeParse(fields)
  if (!read.success) {
    for (const issue of read.error.issues) addIssue(faults, line, kind, issue)
    return undefined
  }
  const broken = kind === 'product' ? productRules(read.data as ProductRecord) : brokenRules(kind, read.data)
  for (const [field, problem] of broken) faults.add(line, field, problem)
  const { kind: _, ...values } = read.data
  const surveyKey = 'region' in values ? { surveyKey: `${values.providerSlug}/${values.region}` } : {}
  return broken.length > 0 ? undefined : { line, values: { ...values, ...surveyKey } }
}

/** Names of the fields that identify a record of each kind; a fault is told of the first. A product has many past changes: their order is checked as a whole. */
const keyFields = {
  provider: ['slug'],
  product: ['sourceKey'],
  card: ['sourceKey'],
  switch_offer: ['offerKey'],
  account_offer: ['offerKey'],
  service_quality: ['providerSlug', 'region'],
  rate_history: [],
} as const satisfies Record<FeedKind, readonly string[]>

/** Tells keys that stand twice. */
class Keys {
  readonly #names: readonly string[]
  readonly #lines = new Map<string, number>()

  constructor(kind: FeedKind) {
    this.#names = keyFields[kind]
  }

  check({ line, fields }: RawRecord, faults: FaultList): void {
    const parts = this.#names.map((name) => fields[name])
    if (parts.length === 0 || parts.includes(undefined)) return
    const key = parts.join(' ')
    const before = this.#lines.get(key)
    if (before === undefined) this.#lines.set(key, line)
    else faults.add(line, this.#names[0] ?? null, `"${key}" stands on line ${before} already`)
  }
}

const noRecords = (fileName: string) => new FeedError(fileName, [{ line: 1, field: null, problem: 'the feed has no records' }], 1)

/** A feed with its first records taken off. */
type OpenFeed = { readonly kind: FeedKind; readonly first: readonly RawRecord[]; readonly rest: RawFeed }

/** Ranks are only wrong beside each other, and surveys are few: they alone are held together. */
async function* checked(fileName: string, { kind, first, rest }: OpenFeed): ValidFeed['batches'] {
  const { faults } = rest
  const keys = new Keys(kind)
  const surveys: FeedRecord[] = []
  let records = 0
  const readBatch = (batch: readonly RawRecord[]) => {
    records += batch.length
    const valid: FeedRecord[] = []
    for (const raw of batch) {
      keys.check(raw, faults)
      const record = readRecord(kind, raw, faults)
      if (record) valid.push(record)
    }
    if (kind === 'service_quality') surveys.push(...valid)
    return valid
  }
  yield readBatch(first)
  for await (const batch of rest.batches) {
    if (records + batch.length > maximumRecords(kind)) {
      faults.add(batch[0]?.line ?? 0, null, `is past the ${maximumRecords(kind)} records that one ${kind} feed may hold`)
      break
    }
    yield readBatch(batch)
  }
  for (const [line, field, problem] of unsharedRanks(kind, surveys)) faults.add(line, field, problem)
  faults.throwIfAny(fileName)
}

/**
 * Checks every record of a feed by itself and for keys that stand twice. Throws FeedError with what is wrong on each line, at once when its
 * kind cannot be told and else at the end of its batches; a feed without a record is refused too, because it would withdraw everything.
 */
export async function validateFeed(fileName: string, raw: RawFeed): Promise<ValidFeed> {
  const { value: first } = await raw.batches.next()
  const [record] = first ?? []
  if (!first || !record) {
    raw.faults.throwIfAny(fileName)
    throw noRecords(fileName)
  }
  const kind = kindOf(fileName, record)
  return { kind, batches: checked(fileName, { kind, first, rest: raw }) }
}
