import { publicRequestId } from '#server/ids.ts'
import type { Log } from '#server/observability/log.ts'

const flushDelayMs = 100
/** Maximum request ids per log line. With the database down, thousands of calls fail per second, and it must be possible to find each by its id. */
const maxIdsPerLine = 1_000

/** Logs calls that failed because the database did not respond in time: one line per batch, with all request ids. */
export class FailedCalls {
  private readonly log: Log
  private requestIds: string[] = []
  private timer: NodeJS.Timeout | null = null

  constructor(log: Log) {
    this.log = log
  }

  add(requestId: string): void {
    this.requestIds.push(publicRequestId(requestId))
    if (this.requestIds.length >= maxIdsPerLine) this.flush()
    // Not unref'd: keeps the process alive until the line is written, because operators need it.
    this.timer ??= setTimeout(() => this.flush(), flushDelayMs)
  }

  private flush(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    const { requestIds } = this
    this.requestIds = []
    if (requestIds.length > 0)
      this.log.info({ calls: requestIds.length, requestIds }, 'Calls failed and were not charged: the database did not respond in time.')
  }
}
