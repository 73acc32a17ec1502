import type { Pool } from 'pg'
import * as store from './licences.store.ts'

/** A version of the Data Licence that was published. It never changes. */
export type LicenceVersion = {
  readonly label: string
  readonly publishedAt: Date
  /** From when on calls are refused to whoever has not accepted it. */
  readonly graceEndsAt: Date
  /** Markdown: what is new in it. */
  readonly changes: string
  /** Markdown, without a title; null: the text comes with the service. */
  readonly body: string | null
}

const mostVersions = 200

const fromDb = ({ published_at, grace_ends_at, ...row }: store.LicenceRow): LicenceVersion => ({
  ...row,
  publishedAt: published_at,
  graceEndsAt: grace_ends_at,
})

/** Null: no such version has been published. */
export async function licenceVersion(pool: Pool, label: string): Promise<LicenceVersion | null> {
  const row = await store.readVersion(pool, label)
  return row ? fromDb(row) : null
}

/** Every version, the newest first, each with how many accounts have accepted it last; and how many have accepted none of them. */
export async function licenceVersions(pool: Pool): Promise<{ versions: (LicenceVersion & { accounts: number })[]; none: number }> {
  const [rows, counts] = await Promise.all([store.readVersions(pool, mostVersions), store.countAcceptances(pool)])
  const accountsOf = new Map(counts.map(({ label, accounts }) => [label, accounts]))
  const versions = rows.map((row) => ({ ...fromDb(row), accounts: accountsOf.get(row.label) ?? 0 }))
  const all = counts.reduce((sum, { accounts }) => sum + accounts, 0)
  return { versions, none: all - versions.reduce((sum, { accounts }) => sum + accounts, 0) }
}

/** Whom a new version concerns: every account that is confirmed and not closed has to accept it. */
export async function accountsToAccept(pool: Pool): Promise<number> {
  return (await store.countAcceptances(pool)).reduce((sum, { accounts }) => sum + accounts, 0)
}
