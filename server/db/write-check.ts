import { setTimeout as sleep } from 'node:timers/promises'
import { getCode } from './database-errors.ts'
import { probeWrite } from './database-probes.sql.ts'
import type { Database } from './prisma.ts'

/** Times of this process's last successful write and last rejected write, on the `performance` clock. */
export type WriteEvidence = { writtenAt: number; refusedAt: number }

/** Maximum age of a write that counts as proof that the database accepts writes. */
const evidenceLifetimeMs = 5_000
/** Maximum age of a probe result that is reused, so that frequent health checks cause few probes. */
const resultLifetimeMs = 1_000
const answerTimeoutMs = 1_000

const readOnly = '25006'
/** SQLSTATE classes for failed writes: read-only, out of resources, I/O error. Other errors don't show whether writes work. */
const refusals = /^(?:25|53|58|XX)/

/** SQLSTATE if the probe exceeds the role's limit for temporary files: the disk itself accepted the write. */
const tempFileLimit = '53400'

/** Checks whether the database accepts writes, based on recent writes of the process or a probe. */
export class WriteCheck {
  readonly #pool: Database
  readonly #evidence: WriteEvidence
  readonly #onFault: (error: unknown) => void
  #probing: Promise<boolean | null> | null = null
  #last: { readonly isWritable: boolean | null; readonly at: number } | null = null

  constructor(pool: Database, evidence: WriteEvidence, onFault: (error: unknown) => void) {
    this.#pool = pool
    this.#evidence = evidence
    this.#onFault = onFault
  }

  /** Resolves within a second; null if the database did not respond. */
  async isWritable(): Promise<boolean | null> {
    const { writtenAt, refusedAt } = this.#evidence
    const now = performance.now()
    if (now - writtenAt < evidenceLifetimeMs && now - refusedAt >= evidenceLifetimeMs) return true
    if (this.#last !== null && now - this.#last.at < resultLifetimeMs && this.#last.at > refusedAt) return this.#last.isWritable
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = null
    })
    return Promise.race([this.#probing, sleep(answerTimeoutMs, null, { ref: false })])
  }

  async #probe(): Promise<boolean | null> {
    const isWritable = await this.#write().catch((error: unknown) => {
      if (getCode(error) === tempFileLimit) return true
      this.#onFault(error)
      return refusals.test(getCode(error)) ? false : null
    })
    this.#last = { isWritable, at: performance.now() }
    return isWritable
  }

  async #write(): Promise<boolean> {
    if (!(await probeWrite(this.#pool))) throw Object.assign(new Error('The database is read-only.'), { code: readOnly })
    return true
  }
}
