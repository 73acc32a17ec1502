import type { Pool } from 'pg'
import { codeOf } from './error-parts.ts'
import { inTransaction } from './transaction.ts'

/** When a process last wrote and when PostgreSQL last refused a write of it, by the clock of `performance`. */
export type WriteEvidence = { writtenAt: number; refusedAt: number }

/** Writes of the last seconds prove that the database takes writes. */
const provenForMs = 5_000
/** A probe answers for so long, so that load balancers that ask often cause few of them. */
const keptForMs = 1_000
const answerTimeoutMs = 1_000

const readOnly = '25006'
/** SQLSTATE classes that say that PostgreSQL answered and did not write: read-only, out of resources, and input or output failed. Others say nothing of it. */
const refusals = /^(?:25|53|58|XX)/

/** The role may write less to temporary files than the probe does. The disk took what it may. */
const tempFileLimit = '53400'

/**
 * Writes a quarter of a megabyte to the disk of the database, as an intermediate result that does not fit into memory, which is removed at once. It needs no
 * table, writes no WAL, and fails as an insert does when the disk is full.
 */
const probe = `WITH spilled AS MATERIALIZED (SELECT repeat(md5(i::text), 32) AS line FROM generate_series(1, 256) i)
  SELECT sum(length(line)) AS bytes, current_setting('transaction_read_only') = 'on' AS "isReadOnly" FROM spilled`

/** Tells whether the database takes writes, from what the process wrote in the last seconds or else from a probe. */
export class WriteCheck {
  readonly #pool: Pool
  readonly #evidence: WriteEvidence
  readonly #onFault: (error: unknown) => void
  #probing: Promise<boolean | null> | null = null
  #last: { readonly isWritable: boolean | null; readonly at: number } | null = null

  constructor(pool: Pool, evidence: WriteEvidence, onFault: (error: unknown) => void) {
    this.#pool = pool
    this.#evidence = evidence
    this.#onFault = onFault
  }

  /** Resolves within a second; null: the database did not answer, so nothing is known. */
  async isWritable(): Promise<boolean | null> {
    const { writtenAt, refusedAt } = this.#evidence
    const now = performance.now()
    if (now - writtenAt < provenForMs && now - refusedAt >= provenForMs) return true
    if (this.#last !== null && now - this.#last.at < keptForMs && this.#last.at > refusedAt) return this.#last.isWritable
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = null
    })
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, answerTimeoutMs, null)
    })
    const isWritable = await Promise.race([this.#probing, silence])
    clearTimeout(timer)
    return isWritable
  }

  async #probe(): Promise<boolean | null> {
    const isWritable = await this.#write().catch((error: unknown) => {
      if (codeOf(error) === tempFileLimit) return true
      this.#onFault(error)
      return refusals.test(codeOf(error)) ? false : null
    })
    this.#last = { isWritable, at: performance.now() }
    return isWritable
  }

  async #write(): Promise<boolean> {
    const isReadOnly = await inTransaction(this.#pool, async (client) => {
      await client.query("SET LOCAL work_mem = '64kB'")
      const { rows } = await client.query<{ isReadOnly: boolean }>(probe)
      return rows[0]?.isReadOnly !== false
    })
    if (isReadOnly) throw Object.assign(new Error('The database only accepts reads.'), { code: readOnly })
    return true
  }
}
