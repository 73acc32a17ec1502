import { isDeepStrictEqual } from 'node:util'
import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { inTransaction, isTimeUp } from '#server/db/transaction.ts'
import { BusyError, type ImportLimits } from '../import/apply-feed.ts'
import { FeedError } from '../import/feed-faults.ts'
import { importFeed } from '../import/import-feed.ts'
import { inPieces, renewPreview, settleWaiting, type WaitingFeed, waitingFeed } from '../import/quarantined-imports.ts'
import type { FeedPreview } from '../import/row-change.ts'
import { buildPreview } from '../import/table-feed.sql.ts'
import { record } from '../statistics/fetches.ts'
import type { MarketDeps } from './market-deps.ts'

/** Thrown if the market has changed since the feed was previewed, so the preview is outdated. */
class OutdatedPreviewError extends Error {
  override name = 'OutdatedPreviewError'
  readonly preview: FeedPreview

  constructor(preview: FeedPreview) {
    super('The market has changed since this feed was previewed.')
    this.preview = preview
  }
}

const gone = () => new FieldsError({ form: 'This feed is no longer pending: a newer one arrived, or it was already published or declined.' })

const previewUpdated = 'The market has changed since this feed was previewed. Review the updated preview above, then publish.'

/** Time limits for publishing a feed. Short, because an administrator is waiting and proxies between the browser and this process time out. */
const adminLimits: ImportLimits = { statementMs: 50_000, lockSeconds: 2 }

const timedOut = (source: string) =>
  `Publishing took too long; nothing was changed. Import the feed from the command line instead: svc market refresh --source ${source} --confirm`

/** Largest id that the column can hold. */
const maxId = 2_147_483_647

async function open({ pool }: MarketDeps, id: number): Promise<WaitingFeed> {
  const feed = id > maxId ? null : await waitingFeed(pool, id)
  if (!feed) throw gone()
  return feed
}

const countRows = ({ counts }: FeedPreview) => ({ added: counts.added, changed: counts.changed + counts.restored, withdrawn: counts.withdrawn })

/**
 * True if two previews describe the same changes. Ignores the reasons for confirmation. The new preview is converted to JSON and back, as the stored one was.
 */
function isSame(kept: FeedPreview, now: FeedPreview): boolean {
  const { reasons: _kept, ...was } = kept
  const { reasons: _now, ...is } = JSON.parse(JSON.stringify(now)) as FeedPreview
  return isDeepStrictEqual(was, is)
}

/** Imports the feed, and in the same transaction records who published it and that its source was fetched. */
async function apply({ pool, now }: MarketDeps, id: number, feed: WaitingFeed, by: AdminActor, limits: ImportLimits): Promise<void> {
  const { source, url, licence, fileName, sha256, etag, lastModified, asOf, preview } = feed
  const { pieces } = inPieces(feed.text)
  await importFeed(pool, { source: pieces, fileName, dataset: 'live', confirm: true, limits }, async (client, applied) => {
    // Publish only the changes that were previewed.
    const comparedNow = await buildPreview(client, applied)
    if (!isSame(preview, comparedNow)) throw new OutdatedPreviewError(comparedNow)
    if (!(await settleWaiting(client, id, 'published'))) throw gone()
    const { rows, counts } = applied
    const changed = counts.added + counts.changed + counts.restored + counts.withdrawn
    const fetchedAt = new Date(now()).toISOString()
    await record(client, { outcome: 'imported', source, url, licence, fetchedAt, rows, changed, asOf, sha256, validators: { etag, lastModified } }, changed)
    await writeAudit(client, { ...by, accountId: null, action: 'feed.publish', subject: source, after: { feed: id, rows, ...countRows(preview) } })
  })
}

/**
 * Publishes a quarantined import exactly as previewed.
 * @throws FieldsError if the feed is no longer pending, another import is running, publishing takes too long, or the market has changed since the
 * preview (which is then updated).
 */
export async function publishFeed(deps: MarketDeps, by: AdminActor, id: number, limits = adminLimits): Promise<void> {
  const feed = await open(deps, id)
  try {
    await apply(deps, id, feed, by, limits)
  } catch (error) {
    if (error instanceof OutdatedPreviewError) {
      await renewPreview(deps.pool, id, error.preview)
      throw new FieldsError({ form: previewUpdated })
    }
    if (error instanceof BusyError || error instanceof FeedError) throw new FieldsError({ form: error.message })
    if (isTimeUp(error)) throw new FieldsError({ form: timedOut(feed.source) })
    throw error
  }
}

/** Declines a quarantined import: deletes the stored feed, and ignores an identical feed in future. */
export async function declineFeed(deps: MarketDeps, by: AdminActor, id: number): Promise<void> {
  const { source, preview } = await open(deps, id)
  await inTransaction(deps.pool, async (client) => {
    if (!(await settleWaiting(client, id, 'declined'))) throw gone()
    await writeAudit(client, {
      ...by,
      accountId: null,
      action: 'feed.decline',
      subject: source,
      after: { feed: id, rows: preview.rows, ...countRows(preview) },
    })
  })
}
