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
/** SQLSTATE classes for failed writes: read-only, out of resources, I/O error, internal error. Other errors don't show whether writes work. */
const refusals = /^(?:25|53|58|XX)/

/** SQLSTATE reported when the probe exceeds the role's limit for temporary files, which means that the disk itself accepted the write. */
const tempFileLimit = '53400'

/**
 * Returns a function that checks whether the database accepts writes, based on this process's recent writes if they succeeded, otherwise on a probe. The check
 * resolves within a second, with null if the answer is unknown, for example because the database did not respond. `onFault` receives the error of a probe that
 * failed.
 */
export function writeCheck(pool: Database, evidence: WriteEvidence, onFault: (error: unknown) => void): () => Promise<boolean | null> {
  let probing: Promise<boolean | null> | null = null
  let last: { readonly isWritable: boolean | null; readonly at: number } | null = null

  const write = async (): Promise<boolean> => {
    if (!(await probeWrite(pool))) throw Object.assign(new Error('The database is read-only.'), { code: readOnly })
    return true
  }
  const probe = async () => {
    const isWritable = await write().catch((error: unknown) => {
      if (getCode(error) === tempFileLimit) return true
      onFault(error)
      return refusals.test(getCode(error)) ? false : null
    })
    last = { isWritable, at: performance.now() }
    return isWritable
  }
  return async () => {
    const { writtenAt, refusedAt } = evidence
    const now = performance.now()
    if (now - writtenAt < evidenceLifetimeMs && now - refusedAt >= evidenceLifetimeMs) return true
    if (last !== null && now - last.at < resultLifetimeMs && last.at > refusedAt) return last.isWritable
    probing ??= probe().finally(() => {
      probing = null
    })
    return Promise.race([probing, sleep(answerTimeoutMs, null, { ref: false })])
  }
}
