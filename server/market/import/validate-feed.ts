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

export type ValidFeed = { readonly kind: FeedKind; readonly records: readonly FeedRecord[] }

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
function readRecord(kind: FeedKind, { line, fields }: RawRecord, faults: FaultList): FeedRecord | undefined {
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

/** Names of the fields that identify a record of each kind; a fault is told of the first. */
const keyFields = {
  provider: ['slug'],
  product: ['sourceKey'],
  card: ['sourceKey'],
  switch_offer: ['offerKey'],
  account_offer: ['offerKey'],
  service_quality: ['providerSlug', 'region'],
} as const satisfies Record<FeedKind, readonly [string, ...string[]]>

/** What identifies a record, as it was written; undefined when a part of it is missing. */
function keyOf(names: readonly string[], { fields }: RawRecord): string | undefined {
  const parts = names.map((name) => fields[name])
  return parts.includes(undefined) ? undefined : parts.map(String).join(' ')
}

/**
 * Checks every record of a feed by itself and for keys that stand twice. Throws FeedError with what is wrong on each line; a feed
 * without a record is refused too, because it would withdraw everything.
 */
export function validateFeed(fileName: string, { records: raw, faults }: RawFeed): ValidFeed {
  const first = raw[0]
  if (first === undefined) {
    faults.throwIfAny(fileName)
    throw new FeedError(fileName, [{ line: 1, field: null, problem: 'the feed has no records' }], 1)
  }
  const kind = kindOf(fileName, first)
  const names = keyFields[kind]
  const records: FeedRecord[] = []
  const seen = new Map<string, number>()
  for (const record of raw) {
    const key = keyOf(names, record)
    const before = key === undefined ? undefined : seen.get(key)
    if (before !== undefined) faults.add(record.line, names[0], `"${key}" stands on line ${before} already`)
    else if (key !== undefined) seen.set(key, record.line)
    const valid = readRecord(kind, record, faults)
    if (valid) records.push(valid)
  }
  for (const [line, field, problem] of unsharedRanks(kind, records)) faults.add(line, field, problem)
  faults.throwIfAny(fileName)
  return { kind, records }
}
