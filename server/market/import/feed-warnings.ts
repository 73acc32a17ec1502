import { checkRecord } from '../checks/check-record.ts'
import type { RelationChecks } from '../checks/check-relations.ts'
import { grouped } from '../decimal.ts'
import type { FeedKind } from './feed-kind.ts'
import type { FeedRecord } from './validate-feed.ts'

/** Maximum warnings listed in an import report. */
const maxWarnings = 20

/** Contradictions within the records of a feed, or between records and their providers, found while the feed is read. They never stop an import. */
export class FeedWarnings {
  readonly #listed: string[] = []
  readonly #relations: RelationChecks
  #total = 0

  constructor(relations: RelationChecks) {
    this.#relations = relations
  }

  /** Yields the batches unchanged. `day` is the ISO date whose limits apply. */
  async *watch(kind: FeedKind, batches: AsyncGenerator<readonly FeedRecord[], void, void>, day: string): AsyncGenerator<readonly FeedRecord[], void, void> {
    for await (const batch of batches) {
      for (const record of batch) this.#check(kind, record, day)
      yield batch
    }
  }

  #check(kind: FeedKind, { line, values }: FeedRecord, day: string): void {
    for (const problem of [...checkRecord(kind, values, day), ...this.#relations.check(kind, values)]) {
      this.#total++
      if (this.#listed.length < maxWarnings) this.#listed.push(`Line ${line}: ${values['sourceKey'] ?? values['offerKey'] ?? values['slug']} ${problem}.`)
    }
  }

  /** Returns the first warnings, and the number of further ones. */
  list(): string[] {
    const more = this.#total - this.#listed.length
    return more > 0 ? [...this.#listed, `Further warnings: ${grouped(more)}.`] : [...this.#listed]
  }
}
