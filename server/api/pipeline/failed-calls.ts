import { publicRequestId } from '#server/ids.ts'
import type { Log } from '#server/observability/log.ts'

const togetherMs = 100
/** A line names at most so many: a service whose database is away fails thousands of calls a second, and each is to be found. */
const mostNamed = 1_000

/** Tells of calls that failed because the database did not answer in time: one line for all of a moment, with the id that each caller was given. */
export class FailedCalls {
  private readonly log: Log
  private requestIds: string[] = []
  private timer: NodeJS.Timeout | null = null

  constructor(log: Log) {
    this.log = log
  }

  add(requestId: string): void {
    this.requestIds.push(publicRequestId(requestId))
    if (this.requestIds.length >= mostNamed) this.tell()
    // It holds the process up for the moment that is left: these lines are what an operator looks for.
    this.timer ??= setTimeout(() => this.tell(), togetherMs)
  }

  private tell(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    const { requestIds } = this
    this.requestIds = []
    if (requestIds.length > 0) this.log.info({ calls: requestIds.length, requestIds }, 'Calls failed uncharged: the database did not answer in time.')
  }
}
