import type { z } from 'zod'
import { suggestion } from '#server/api/contract/nearest.ts'
import { type FaultList, FeedError } from './feed-faults.ts'
import { type FeedKind, feedKinds, isFeedKind, kindOfFields, kindOfFileName } from './feed-kind.ts'
import { brokenRules, unsharedRanks } from './feed-rules.ts'
import { feedSchemas } from './feed-schema.ts'
import type { RawFeed, RawRecord } from './read-feed.ts'

/** Valid record by field name: rates in basis points, money in pence, null for omitted fields. */
export type FeedRecord = { readonly line: number; readonly values: Readonly<Record<string, string | number | boolean | null>> }

/** Feed of a known kind. Records are validated during iteration, which throws at the end if any line was invalid. */
export type ValidFeed = { readonly kind: FeedKind; readonly batches: AsyncGenerator<readonly FeedRecord[], void, void> }

/** Returns the maximum number of records in a feed, which is more than any market has. Higher for history, because past changes are not held in memory. */
const maximumRecords = (kind: FeedKind) => (kind === 'rate_history' ? 10_000_000 : 500_000)

/** Determines the kind from the `kind` of the first record, else from the file name, else from the set of fields. */
function findKind(fileName: string, { fields }: RawRecord): FeedKind | undefined {
  const stated = fields.kind
  if (stated !== undefined) return isFeedKind(stated) ? stated : undefined
  return kindOfFileName(fileName) ?? kindOfFields(Object.keys(fields))
}

function detectKind(fileName: string, first: RawRecord): FeedKind {
  const kind = findKind(fileName, first)
  if (kind !== undefined) return kind
  const problem = `must be one of ${feedKinds.join(', ')}; set it on each line or in the file name, such as products.ndjson`
  throw new FeedError(fileName, [{ line: first.line, field: 'kind', problem }], 1)
}

/** Returns the issues inside a list or object, or an empty list if the value has a different type altogether. */
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

/** Validates one record. If it is invalid, adds its errors to `faults` and returns undefined. */
export function readRecord(kind: FeedKind, { line, fields }: RawRecord, faults: FaultList): FeedRecord | undefined {
  const stated = fields.kind
  if (isFeedKind(stated) && stated !== kind) {
    faults.add(line, 'kind', `is ${stated}, but this is a ${kind} feed; a feed has one kind`)
    return undefined
  }
  const read = feedSchemas[kind].safeParse(fields)
  if (!read.success) {
    for (const issue of read.error.issues) addIssue(faults, line, kind, issue)
    return undefined
  }
  const broken = brokenRules(kind, read.data)
  for (const [field, problem] of broken) faults.add(line, field, problem)
  const { kind: _, ...values } = read.data
  const surveyKey = 'region' in values ? { surveyKey: `${values.providerSlug}/${values.region}` } : {}
  return broken.length > 0 ? undefined : { line, values: { ...values, ...surveyKey } }
}

/** Key fields of each kind; duplicates are reported on the first field. History records have no key, because a product has many; they are checked together. */
const keyFields = {
  provider: ['slug'],
  product: ['sourceKey'],
  card: ['sourceKey'],
  switch_offer: ['offerKey'],
  account_offer: ['offerKey'],
  service_quality: ['providerSlug', 'region'],
  rate_history: [],
} as const satisfies Record<FeedKind, readonly string[]>

/** Returns a function that reports records whose key has already been used by an earlier record. */
function keyCheck(kind: FeedKind, faults: FaultList) {
  const names: readonly string[] = keyFields[kind]
  const lines = new Map<string, number>()
  return ({ line, fields }: RawRecord): void => {
    const parts = names.map((name) => fields[name])
    if (parts.length === 0 || parts.includes(undefined)) return
    const key = parts.join(' ')
    const before = lines.get(key)
    if (before === undefined) lines.set(key, line)
    else faults.add(line, names[0] ?? null, `"${key}" is already on line ${before}`)
  }
}

const noRecords = (fileName: string) => new FeedError(fileName, [{ line: 1, field: null, problem: 'the feed has no records' }], 1)

/** Feed whose kind is known, because its first records have been read. */
type OpenFeed = { readonly kind: FeedKind; readonly first: readonly RawRecord[]; readonly rest: RawFeed }

/** Yields the valid records in batches. Surveys are also collected in memory, because ranks can only be validated against each other. There are few surveys. */
async function* checked(fileName: string, { kind, first, rest }: OpenFeed): ValidFeed['batches'] {
  const { faults } = rest
  const checkKey = keyCheck(kind, faults)
  const surveys: FeedRecord[] = []
  let records = 0
  const readBatch = (batch: readonly RawRecord[]) => {
    records += batch.length
    const valid: FeedRecord[] = []
    for (const raw of batch) {
      checkKey(raw)
      const record = readRecord(kind, raw, faults)
      if (record) valid.push(record)
    }
    if (kind === 'service_quality') surveys.push(...valid)
    return valid
  }
  yield readBatch(first)
  for await (const batch of rest.batches) {
    if (records + batch.length > maximumRecords(kind)) {
      faults.add(batch[0]?.line ?? 0, null, `exceeds the maximum of ${maximumRecords(kind)} records per ${kind} feed`)
      break
    }
    yield readBatch(batch)
  }
  for (const [line, field, problem] of unsharedRanks(kind, surveys)) faults.add(line, field, problem)
  faults.throwIfAny(fileName)
}

/**
 * Validates every record of a feed, and checks that keys are unique. Throws FeedError with the errors of each line: immediately if the kind is unknown,
 * otherwise at the end of the batches. Also rejects a feed without records, because it would withdraw everything.
 */
export async function validateFeed(fileName: string, raw: RawFeed): Promise<ValidFeed> {
  const { value: first } = await raw.batches.next()
  const [record] = first ?? []
  if (!first || !record) {
    raw.faults.throwIfAny(fileName)
    throw noRecords(fileName)
  }
  const kind = detectKind(fileName, record)
  return { kind, batches: checked(fileName, { kind, first, rest: raw }) }
}
