import { FieldsError } from '#server/api/contract/field-errors.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { percent, pounds, toHundredths } from '../decimal.ts'
import { FaultList, FeedError } from '../import/feed-faults.ts'
import { feedTables } from '../import/feed-tables.ts'
import { type StoredRow, toFeedValue } from '../import/row-change.ts'
import type { CorrectedColumn } from '../import/stage-feed.sql.ts'
import { readRecord } from '../import/validate-feed.ts'

export type CorrectedValues = Readonly<Partial<Record<CorrectedColumn, string | number | null>>>

/** Form values of a correction: rates in percent, amounts in pounds; empty means none. */
export type TypedTerms = {
  readonly accountName: string
  readonly rate: string
  readonly boostRate: string
  readonly boostDuration: string
  readonly minBalance: string
  readonly maxBalance: string
}

type Term = keyof TypedTerms

/** Label and column of each form field. */
export const terms: Readonly<Record<Term, { readonly label: string; readonly column: CorrectedColumn }>> = {
  accountName: { label: 'Account name', column: 'account_name' },
  rate: { label: 'Rate', column: 'rate_bp' },
  boostRate: { label: 'Bonus', column: 'boost_rate_bp' },
  boostDuration: { label: 'Bonus duration', column: 'boost_duration' },
  minBalance: { label: 'Minimum balance', column: 'min_balance_pence' },
  maxBalance: { label: 'Maximum balance', column: 'max_balance_pence' },
}

const termNames = Object.keys(terms) as Term[]

/** Groups of columns that depend on each other. The columns of a group are corrected together, so that they stay consistent with any later feed. */
const groups: readonly (readonly CorrectedColumn[])[] = [
  ['account_name'],
  ['rate_bp', 'base_rate_bp', 'boost_rate_bp', 'boost_duration'],
  ['min_balance_pence', 'max_balance_pence'],
]

const isTerm = (name: string | null): name is Term => name !== null && name in terms

/** Formats a column value for display. */
export function shownValue(column: string, value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value !== 'number') return String(value)
  if (column.endsWith('_bp')) return percent(value)
  return column.endsWith('_pence') ? pounds(value) : String(value)
}

/** Formats the current terms as form values. */
export function typedTerms(product: StoredRow): TypedTerms {
  const typed = ({ column }: (typeof terms)[Term]) => String(toFeedValue(column, product[column]) ?? '')
  return Object.fromEntries(termNames.map((name) => [name, typed(terms[name])])) as TypedTerms
}

/** Parses the rate and the bonus; undefined if they are invalid. */
const readRates = ({ rate, boostRate }: TypedTerms) => [toHundredths(rate.trim()), toHundredths(boostRate.trim() || '0')] as const

/** Builds the feed record of a product, with the form values in place of its current values. */
function toFeedRecord(product: StoredRow, typed: TypedTerms): Record<string, unknown> {
  const current = Object.entries(feedTables.product.columns).flatMap(([column, field]) =>
    field === 'urlCheckedAt' || product[column] === null ? [] : [[field, toFeedValue(column, product[column])] as const],
  )
  const entered = termNames.map((name) => [name, typed[name].trim() === '' ? null : typed[name].trim()] as const)
  const [rate, boost] = readRates(typed)
  // If the rate or the bonus is invalid, the feed validation reports it; 0 is only a placeholder.
  const baseRate = rate === undefined || boost === undefined ? '0' : twoDecimals(Math.max(0, rate - boost))
  return { ...Object.fromEntries([...current, ...entered]), baseRate }
}

/** Validates a record against the feed rules, and returns its column values. @throws FieldsError with its validation errors by form field. */
function readValues(fields: Record<string, unknown>, typed: TypedTerms): CorrectedValues {
  const list = new FaultList()
  const record = readRecord('product', { line: 1, fields }, list)
  const [rate, boost] = readRates(typed)
  if (rate !== undefined && boost !== undefined && boost > rate) throw new FieldsError({ boostRate: 'The bonus cannot be higher than the rate.' })
  try {
    list.throwIfAny('correction')
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    const described = error.faults.map(({ field, problem }) =>
      isTerm(field) ? [field, `${terms[field].label} ${problem}.`] : ['form', `${field} ${problem}.`],
    )
    throw new FieldsError(Object.fromEntries(described.toReversed()))
  }
  return Object.fromEntries(Object.entries(feedTables.product.columns).map(([column, field]) => [column, record?.values[field] ?? null]))
}

export type PlannedLine = { readonly label: string; readonly from: string; readonly to: string }

/** Changes of a correction: new and current column values, and a display line for each changed term. */
export type Plan = { readonly changes: CorrectedValues; readonly was: CorrectedValues; readonly lines: readonly PlannedLine[] }

/** Returns a display line for each term that differs between two rows. Ignores terms that either row lacks. */
export function getLines(was: StoredRow, changes: StoredRow): PlannedLine[] {
  return termNames.flatMap((name) => {
    const { label, column } = terms[name]
    if (!(column in changes && column in was) || changes[column] === was[column]) return []
    return [{ label, from: shownValue(column, was[column]), to: shownValue(column, changes[column]) }]
  })
}

/** Validates the form values against the feed rules and returns the resulting changes. @throws FieldsError if the values are invalid or change nothing. */
export function planCorrection(product: StoredRow, typed: TypedTerms): Plan {
  const values = readValues(toFeedRecord(product, typed), typed)
  const moved = groups.filter((group) => group.some((column) => (values[column] ?? null) !== (product[column] ?? null))).flat()
  if (moved.length === 0) throw new FieldsError({ form: 'No changes to save.' })
  const pick = (from: StoredRow) => Object.fromEntries(moved.map((column) => [column, from[column] ?? null])) as CorrectedValues
  const [changes, was] = [pick(values), pick(product)]
  return { changes, was, lines: getLines(was, changes) }
}
