import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/observability/log.ts'

/** Interval between checks while pages are requested. A check is one short query. */
const checkEveryMs = 100
/** Time after which requests stop waiting for a check. Loading a large market takes longer; until it has loaded, readers get the stored pages. */
const waitMs = 250
/** Interval after a failed check. */
const retryMs = 5_000

/** Detects changes that any process makes to the published content: the market, availability, the changelog or the Data Licence. */
export class ContentChanges {
  private readonly refresh: () => Promise<void>
  private readonly log: Log
  private checking: Promise<void> | null = null
  private startedAt = 0
  private nextAt = 0
  private isChangeExpected = false

  /** `refresh` reads the content version of the database, and loads what has changed. */
  constructor(refresh: () => Promise<void>, log: Log) {
    this.refresh = refresh
    this.log = log
  }

  /** Makes the next request check again: this process has just handled a request that may have changed the content. */
  expect(): void {
    this.isChangeExpected = true
  }

  /** Resolves once the content version is up to date. Returns null if there is nothing to wait for, because it was checked within the last 100 ms, for example. */
  check(): Promise<unknown> | null {
    const now = performance.now()
    if (this.isChangeExpected || (this.checking === null && now >= this.nextAt)) this.start(now)
    if (this.checking === null || now - this.startedAt > waitMs) return null
    return Promise.race([this.checking, sleep(waitMs, undefined, { ref: false })])
  }

  private start(now: number): void {
    this.startedAt = now
    // A refresh that is in progress may have begun before the change. Callers share refreshes, so only the second one is sure to include the change.
    const times = this.isChangeExpected ? 2 : 1
    this.isChangeExpected = false
    const before = this.checking ?? Promise.resolve()
    const checking = before
      .then(() => this.run(times))
      .finally(() => {
        if (this.checking === checking) this.checking = null
      })
    this.checking = checking
  }

  private async run(times: number): Promise<void> {
    try {
      for (let time = 0; time < times; time++) await this.refresh()
      this.nextAt = performance.now() + checkEveryMs
    } catch (error) {
      this.nextAt = performance.now() + retryMs
      this.log.warn({ err: error }, 'Failed to check whether pages have changed. Retrying.')
    }
  }
}
