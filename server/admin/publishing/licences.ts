import type { Pool } from 'pg'
import * as store from './licences.store.ts'

/** A version of the Data Licence that was published. It never changes. */
export type LicenceVersion = {
  readonly label: string
  readonly publishedAt: Date
  /** From when on calls are refused to whoever has not accepted it. */
  readonly graceEndsAt: Date
  /** How many accounts accepted it last. */
  readonly accounts: number
}

const mostVersions = 200

/** The text of a version that was published at the desk, as Markdown without a title; null: there is none with this label. */
export async function publishedLicence(pool: Pool, label: string): Promise<string | null> {
  return (await store.readVersionText(pool, label)) ?? null
}

/** Where a version stands in the line of versions, and what its publisher said is new in it. */
export type LicencePlace = {
  readonly changes: string
  readonly older: string | null
  readonly newer: string | null
  /** The newest of all, and since when it is published; its own label when nothing has taken its place. */
  readonly newest: string
  readonly newestAt: Date
}

/** `bundled` are the labels whose text comes with the service. Null: no such version can be read. */
export async function licencePlace(pool: Pool, label: string, bundled: readonly string[]): Promise<LicencePlace | null> {
  const row = await store.readPlace(pool, label, bundled)
  return row ? { changes: row.changes, older: row.older, newer: row.newer, newest: row.newest, newestAt: row.newest_at } : null
}

/** Every version, the newest first; and how many accounts have accepted none of them. */
export async function licenceVersions(pool: Pool): Promise<{ versions: LicenceVersion[]; none: number }> {
  const [rows, counts] = await Promise.all([store.readVersions(pool, mostVersions), store.countAcceptances(pool)])
  const accountsOf = new Map(counts.map(({ label, accounts }) => [label, accounts]))
  const versions = rows.map(({ label, published_at, grace_ends_at }) => ({
    label,
    publishedAt: published_at,
    graceEndsAt: grace_ends_at,
    accounts: accountsOf.get(label) ?? 0,
  }))
  const all = counts.reduce((sum, { accounts }) => sum + accounts, 0)
  return { versions, none: all - versions.reduce((sum, { accounts }) => sum + accounts, 0) }
}

/** Whom a new version concerns: every account that is confirmed and not closed has to accept it. */
export async function accountsToAccept(pool: Pool): Promise<number> {
  return (await store.countAcceptances(pool)).reduce((sum, { accounts }) => sum + accounts, 0)
}
