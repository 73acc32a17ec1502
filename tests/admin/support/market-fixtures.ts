import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { typedTerms } from '#server/market/corrections/plan-correction.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { holdFeed } from '#server/market/import/quarantined-imports.ts'
import { card, ndjson } from '../../market/feeds.ts'
import type { PortalFixture } from '../../portal/support/portal-fixture.ts'

/** Waits until the worker has completed all requested fetches, because fetches change tables. */
export const waitForSources = (fixture: PortalFixture) =>
  expect.poll(() => fixture.sql('SELECT id FROM refresh_request WHERE settled_at IS NULL'), { timeout: 20_000 }).toEqual([])

/** Returns a listed product without corrections, with its terms as form values. */
export async function someProduct(fixture: PortalFixture) {
  const [found] = await fixture.sql<{ row: Record<string, unknown> }>(
    `SELECT to_jsonb(p) AS row FROM product p WHERE dataset = 'live' AND withdrawn_at IS NULL AND account_type = 'easy-access' AND rate_bp <> 444
       AND NOT EXISTS (SELECT FROM product_correction c WHERE c.dataset = p.dataset AND c.source_key = p.source_key) ORDER BY source_key LIMIT 1`,
  )
  const row = found?.row ?? expect.unreachable('No product matches.')
  return { sourceKey: String(row['source_key']), seen: String(row['updated_at']), ...typedTerms(row) }
}

/** Creates a quarantined import that would withdraw all cards but one, and returns its id. */
export async function quarantinedImport(fixture: PortalFixture): Promise<string> {
  await waitForSources(fixture)
  const [provider] = await fixture.sql<{ slug: string }>("SELECT slug FROM provider WHERE dataset = 'live' ORDER BY slug LIMIT 1")
  const text = ndjson(card(`held-${Date.now()}`, { providerSlug: provider?.slug }))
  const report = await importFeed(fixture.pool, { source: text, fileName: 'card.ndjson', dataset: 'live', dryRun: true })
  const { rows, added, changed, restored, withdrawn, checked, changes } = report
  const preview = { rows, counts: { added, changed, restored, withdrawn, checked }, changes, rateMoves: [], reasons: ['A scene.'] }
  const origin = { source: 'feed-card', url: 'https://feeds.example.test/cards', licence: 'As agreed by the operator', kind: 'card', fileName: 'card.ndjson' }
  const now = new Date().toISOString()
  const facts = { sha256: report.sha256, etag: null, lastModified: null, asOf: now.slice(0, 10), fetchedAt: now }
  await holdFeed(fixture.pool, { ...origin, ...facts, preview, body: gzipSync(text) })
  const [held] = await fixture.sql<{ id: string }>("SELECT id::text FROM quarantined_import WHERE source = 'feed-card' AND state = 'waiting'")
  return held?.id ?? expect.unreachable('No import is quarantined.')
}
