import { type AdmissionConnection, LostError } from './admission-connection.store.ts'
import { type AdmissionRequest, decodeNumbers, encodeBatch, readOutcomes } from './batch.ts'
import type { Outcome } from './outcome.ts'
import type { TextRow } from './single-row-query.ts'
import { encodeWhole, readWhole } from './summed-batch.ts'

/** Number of batches decided request by request after one could not be granted as a whole. Trying both ways each time would double the work. */
const retryWholeAfter = 16

/** PostgreSQL's decision on a batch. Already durable. */
export type BatchDecision = {
  /** Time to decide, excluding the wait for the disk. Null behind a pooler, where the two can't be separated. */
  readonly decidedMs: number | null
  /**
   * Decodes the outcomes; called after the next batch has been sent. @throws LostError if the answer can't be decoded: its charges are durable and have to be
   * looked up.
   */
  readonly read: () => readonly Outcome[]
}

const places = (parameters: number) => Array.from({ length: parameters }, (_, at) => `$${at + 1}`).join(',')

/** Builds the statement. Behind a pooler a batch must be a single transaction, because the pooler could hand the connection to another client in between. */
const buildStatement = (name: string, parameters: number, isPooled: boolean) =>
  isPooled ? `SELECT ${name}(${places(parameters)})` : `CALL ${name}_on_disk(${places(parameters)},NULL,NULL)`

function toDecision<Places>(
  [answer, micros]: TextRow,
  batch: Places,
  outcomes: (numbers: readonly number[], batch: Places) => readonly Outcome[],
): BatchDecision {
  const read = () => {
    try {
      if (typeof answer !== 'string') throw new Error('The admission statement returned no value.')
      return outcomes(decodeNumbers(answer), batch)
    } catch (error) {
      throw new LostError(error)
    }
  }
  return { decidedMs: typeof micros === 'string' ? Number(micros) / 1_000 : null, read }
}

/** Executes batches: as a whole if possible; request by request if one needs an individual check or the whole batch can't be granted. */
export class BatchExecutor {
  private readonly byRequest: string
  private readonly whole: string
  private skipWhole = 0

  constructor(isPooled: boolean) {
    this.byRequest = buildStatement('admit', 17, isPooled)
    this.whole = buildStatement('admit_whole', 19, isPooled)
  }

  /** @throws LostError if the outcome is unknown; any other error means that nothing changed. */
  async execute(connection: AdmissionConnection, requests: readonly AdmissionRequest[]): Promise<BatchDecision> {
    const version = requests[0]?.serviceVersion ?? 0
    const batch = this.skipWhole === 0 ? encodeWhole(version, requests) : null
    if (batch !== null) {
      const row = await connection.run('admit_whole', this.whole, batch.values)
      if (row[0] !== null) return toDecision(row, batch, readWhole)
      this.skipWhole = retryWholeAfter
    } else if (this.skipWhole > 0) {
      this.skipWhole--
    }
    const { values, ...found } = encodeBatch(version, requests)
    return toDecision(await connection.run('admit', this.byRequest, values), found, readOutcomes)
  }
}
