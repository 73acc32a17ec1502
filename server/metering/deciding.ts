import { type AdmissionRequest, decodeNumbers, encodeBatch, readOutcomes } from './batch.ts'
import { type Lane, LostError } from './lane.store.ts'
import type { LaneRow } from './lane-query.ts'
import type { Outcome } from './outcome.ts'
import { encodeWhole, readWhole } from './whole-batch.ts'

/** How many batches are not asked for whole after one that was in vain: while a caller is refused again and again, each would be asked twice. */
const apartFor = 16

/** What PostgreSQL decided, which is on its disk. */
export type Decided = {
  /** How long it took to decide, without the wait for the disk. Null behind a pooler, where it is one with it. */
  readonly decidedMs: number | null
  /** The outcomes, which are read when nothing is waiting for it. @throws LostError when the answer cannot be read: its charges stand, and are looked up. */
  readonly read: () => readonly Outcome[]
}

const places = (parameters: number) => Array.from({ length: parameters }, (_, at) => `$${at + 1}`).join(',')

/** Behind a pooler a batch is one transaction, which holds its wallets until it is on disk: others there would be given a connection between two. */
const statementOf = (name: string, parameters: number, isPooled: boolean) =>
  isPooled ? `SELECT ${name}(${places(parameters)})` : `CALL ${name}_on_disk(${places(parameters)},NULL,NULL)`

function decided<Places>([answer, micros]: LaneRow, batch: Places, outcomes: (numbers: readonly number[], batch: Places) => readonly Outcome[]): Decided {
  const read = () => {
    try {
      if (typeof answer !== 'string') throw new Error('The admission statement answered nothing.')
      return outcomes(decodeNumbers(answer), batch)
    } catch (error) {
      throw new LostError(error)
    }
  }
  return { decidedMs: typeof micros === 'string' ? Number(micros) / 1_000 : null, read }
}

/**
 * Has a batch decided: whole, when it asks for nothing that has to be looked at by itself, and otherwise, or when not all of it can be granted, one request
 * after the other.
 */
export class Deciding {
  private readonly one: string
  private readonly whole: string
  private apart = 0

  constructor(isPooled: boolean) {
    this.one = statementOf('admit', 17, isPooled)
    this.whole = statementOf('admit_whole', 19, isPooled)
  }

  /** @throws LostError when the outcome is unknown; any other error means that nothing was changed. */
  async ask(lane: Lane, requests: readonly AdmissionRequest[]): Promise<Decided> {
    const version = requests[0]?.serviceVersion ?? 0
    const batch = this.apart === 0 ? encodeWhole(version, requests) : null
    if (batch !== null) {
      const row = await lane.run('admit_whole', this.whole, batch.values)
      if (row[0] !== null) return decided(row, batch, readWhole)
      this.apart = apartFor
    } else if (this.apart > 0) {
      this.apart--
    }
    const { values, ...found } = encodeBatch(version, requests)
    return decided(await lane.run('admit', this.one, values), found, readOutcomes)
  }
}
