import { byText } from './keyset-pager.ts'

/** Limits a list to changes. */
export type ChangesQuery = {
  /** Time in ISO 8601 UTC with milliseconds: only rows that changed later are listed. */
  readonly changedAfter?: string | undefined
  /** True to list withdrawn rows as well. */
  readonly withWithdrawn?: boolean | undefined
}

/** Returns the rows that have changed. Times in this format can be compared as text. */
export function getChanged<Row extends { readonly updatedAt: string }>(rows: readonly Row[], { changedAfter }: ChangesQuery): readonly Row[] {
  return changedAfter === undefined ? rows : rows.filter(({ updatedAt }) => updatedAt > changedAfter)
}

/** Returns the later of two times in the same format. */
export const later = (one: string, other: string): string => (byText(one, other) > 0 ? one : other)
