import { afterAll, beforeAll } from 'vitest'
import type { PortalFixture } from '../../portal/support/portal-fixture.ts'

/** Removes licence versions, changelog entries and overrides after a file's tests, because other files share the server. Call after creating the server. */
export function restoreSharedAfter(fixture: PortalFixture): void {
  let last = '0'
  beforeAll(async () => {
    const [row] = await fixture.sql<{ id: string }>('SELECT coalesce(max(id), 0) AS id FROM changelog_entry')
    last = row?.id ?? last
  })
  afterAll(async () => {
    await fixture.sql('DELETE FROM changelog_entry WHERE id > $1', [last])
    await fixture.sql(
      'DELETE FROM endpoint_override; DELETE FROM changelog_draft; DELETE FROM licence_draft; DELETE FROM licence_version WHERE body IS NOT NULL',
    )
    await fixture.sql('UPDATE service_state SET version = version + 1')
  })
}

/** Returns the number of accounts notified of a change, as formatted on buttons. */
export async function notifiedAccounts(fixture: PortalFixture): Promise<string> {
  const [row] = await fixture.sql<{ n: number }>(
    `SELECT count(DISTINCT a.id)::int AS n FROM account a JOIN api_key k ON k.account_id = a.id
     WHERE a.email_verified_at IS NOT NULL AND a.closed_at IS NULL AND (k.revoked_at IS NULL OR k.revoked_at > now()) AND (k.expires_at IS NULL OR k.expires_at > now())`,
  )
  return row?.n === 1 ? '1 account' : `${(row?.n ?? 0).toLocaleString('en-GB')} accounts`
}
