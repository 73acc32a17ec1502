import { isDeepStrictEqual } from 'node:util'
import { type Deed, writeAudit } from '../../accounts/audit.ts'
import { FieldsError } from '../../contract/field-errors.ts'
import { isTimeUp } from '../../db/long-transaction.ts'
import { inTransaction } from '../../db/transaction.ts'
import { FeedError } from '../import/feed-error.ts'
import { previewOf } from '../import/feed-preview.store.ts'
import type { FeedPreview } from '../import/feed-preview.ts'
import { renewPreview, settleWaiting, type WaitingRow, waitingFeed } from '../import/held-feeds.store.ts'
import { textOf } from '../import/held-feeds.ts'
import { BusyError, type Patience } from '../import/import.store.ts'
import { importFeed } from '../import/import-feed.ts'
import { inPieces } from '../import/text-pieces.ts'
import { record } from '../statistics/fetches.store.ts'
import type { MarketRoom } from './market-room.ts'

/** The market has changed since the feed was compared with it: what it would change now is another matter. */
class OtherwiseError extends Error {
  override name = 'OtherwiseError'
  readonly preview: FeedPreview

  constructor(preview: FeedPreview) {
    super('The market has changed since the feed was compared with it.')
    this.preview = preview
  }
}

const gone = () => new FieldsError({ form: 'This feed does not wait any more: a newer one came, or somebody settled it.' })

const comparedAnew = 'The market has changed since this feed was compared with it. It is compared anew above: look at it again, then publish.'

/** Somebody waits for the answer, and so does whatever stands between the browser and this process. */
const deskPatience: Patience = { statementMs: 50_000, turnSeconds: 2 }

const tooLarge = (source: string) =>
  `It takes too long to be published from here, and nothing is changed. Have it taken in by the command line: svc market refresh --source ${source} --confirm`

async function open({ pool }: MarketRoom, id: string): Promise<WaitingRow> {
  const feed = await waitingFeed(pool, id)
  if (!feed) throw gone()
  return feed
}

const sumOf = ({ counts }: FeedPreview) => ({ added: counts.added, changed: counts.changed + counts.restored, withdrawn: counts.withdrawn })

/** Whether two comparisons came to the same rows; the reasons to ask about them follow from those. A preview that was kept has been JSON meanwhile. */
function isSame(kept: FeedPreview, now: FeedPreview): boolean {
  const { reasons: _kept, ...was } = kept
  const { reasons: _now, ...is } = JSON.parse(JSON.stringify(now)) as FeedPreview
  return isDeepStrictEqual(was, is)
}

/** Takes the feed in, and puts down in the same transaction who said so and that its source has been read. */
async function apply({ pool, now }: MarketRoom, id: string, feed: WaitingRow, deed: Deed, patience: Patience): Promise<void> {
  const { source, url, licence, fileName, sha256, etag, lastModified, asOf, preview } = feed
  const { pieces } = inPieces(await textOf(feed.body))
  await importFeed(pool, { source: pieces, fileName, dataset: 'live', confirm: true, patience }, async (client, applied) => {
    // What is published is what was shown.
    const comparedNow = await previewOf(client, applied)
    if (!isSame(preview, comparedNow)) throw new OtherwiseError(comparedNow)
    if (!(await settleWaiting(client, id, 'published'))) throw gone()
    const { rows, counts } = applied
    const changed = counts.added + counts.changed + counts.restored + counts.withdrawn
    const fetchedAt = new Date(now()).toISOString()
    await record(client, { outcome: 'imported', source, url, licence, fetchedAt, rows, changed, asOf, sha256, validators: { etag, lastModified } }, changed)
    await writeAudit(client, { ...deed, accountId: null, action: 'feed.publish', subject: source, after: { feed: id, rows, ...sumOf(preview) } })
  })
}

/**
 * Publishes a feed that the guard held back: it is taken in whole, exactly as it was shown.
 * @throws FieldsError when it does not wait any more, when another import is under way or it takes too long, or when the market has changed so that it would
 * come to something else; that is shown then.
 */
export async function publishFeed(room: MarketRoom, deed: Deed, id: string, patience = deskPatience): Promise<void> {
  const feed = await open(room, id)
  try {
    await apply(room, id, feed, deed, patience)
  } catch (error) {
    if (error instanceof OtherwiseError) {
      await renewPreview(room.pool, id, error.preview)
      throw new FieldsError({ form: comparedAnew })
    }
    if (error instanceof BusyError || error instanceof FeedError) throw new FieldsError({ form: error.message })
    if (isTimeUp(error)) throw new FieldsError({ form: tooLarge(feed.source) })
    throw error
  }
}

/** Declines a feed that was held back: its text is forgotten, and the same text is not held a second time. */
export async function declineFeed(room: MarketRoom, deed: Deed, id: string): Promise<void> {
  const { source, preview } = await open(room, id)
  await inTransaction(room.pool, async (client) => {
    if (!(await settleWaiting(client, id, 'declined'))) throw gone()
    await writeAudit(client, { ...deed, accountId: null, action: 'feed.decline', subject: source, after: { feed: id, rows: preview.rows, ...sumOf(preview) } })
  })
}
