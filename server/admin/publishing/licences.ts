import type { Pool } from 'pg'
import * as store from './licences.store.ts'

/** Published version of the Data Licence. Immutable. */
export type LicenceVersion = {
  readonly label: string
  readonly publishedAt: Date
  /** Time from which calls are refused for accounts that haven't accepted it. */
  readonly graceEndsAt: Date
  /** Number of accounts whose last accepted version this is. */
  readonly accounts: number
}

const maxVersions = 200

/** Returns the text of a version published by an administrator, as Markdown without a title. Null if there is none with this label. */
export async function publishedLicence(pool: Pool, label: string): Promise<string | null> {
  return (await store.readVersionText(pool, label)) ?? null
}

/** Neighbours of a version and its summary of changes. */
export type LicencePlace = {
  readonly changes: string
  readonly older: string | null
  readonly newer: string | null
  /** Newest version and its publication time. Its label equals this version's if this is the newest. */
  readonly newest: string
  readonly newestAt: Date
}

/** Returns the place of a version, or null if it can't be read. `bundled` lists the labels whose texts ship with the service. */
export async function licencePlace(pool: Pool, label: string, bundled: readonly string[]): Promise<LicencePlace | null> {
  const row = await store.readPlace(pool, label, bundled)
  return row ? { changes: row.changes, older: row.older, newer: row.newer, newest: row.newest, newestAt: row.newest_at } : null
}

/** Returns all versions, newest first, and the number of accounts that have accepted none of them. */
export async function licenceVersions(pool: Pool): Promise<{ versions: LicenceVersion[]; none: number }> {
  const [rows, counts] = await Promise.all([store.readVersions(pool, maxVersions), store.countAcceptances(pool)])
  const accountsByLabel = new Map(counts.map(({ label, accounts }) => [label, accounts]))
  const versions = rows.map(({ label, published_at, grace_ends_at }) => ({
    label,
    publishedAt: published_at,
    graceEndsAt: grace_ends_at,
    accounts: accountsByLabel.get(label) ?? 0,
  }))
  const all = counts.reduce((sum, { accounts }) => sum + accounts, 0)
  return { versions, none: all - versions.reduce((sum, { accounts }) => sum + accounts, 0) }
}

/** Counts the accounts that must accept a new version: confirmed and not closed. */
export async function accountsToAccept(pool: Pool): Promise<number> {
  return (await store.countAcceptances(pool)).reduce((sum, { accounts }) => sum + accounts, 0)
}
