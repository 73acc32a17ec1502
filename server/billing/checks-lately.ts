import type { Pool } from 'pg'
import { type CheckRow, readChecks } from './checks.store.ts'

/** A check of the books: when it was last made and how much differed; `failedAt` when it cannot be made just now. */
export type BooksCheck = Readonly<CheckRow>

export async function checksLately(pool: Pool): Promise<readonly BooksCheck[]> {
  return readChecks(pool)
}
