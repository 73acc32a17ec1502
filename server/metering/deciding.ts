import { type AdmissionRequest, decodeNumbers, encodeBatch, readOutcomes } from './batch.ts'
import { type Lane, LostError } from './lane.store.ts'
import type { Outcome } from './outcome.ts'
import { encodeWhole, readWhole } from './whole-batch.ts'

/** Committed without waiting for the disk, in this transaction alone; `Flush` waits for it. */
const quickly = "pg_postmaster_start_time(), set_config('synchronous_commit', 'off', true)"

/** How many batches are not asked for whole after one that was in vain: while a caller is refused again and again, each would be asked twice. */
const apartFor = 16

/** What PostgreSQL decided: when the server was started that said so (empty behind a pooler), and the outcomes, which are read when nothing is waiting for it. */
export type Decided = {
  readonly server: string
  /** @throws LostError when the answer cannot be read: its batch is committed all the same, and is looked up. */
  readonly read: () => Promise<readonly Outcome[]>
}

function call(name: string, parameters: number, isPooled: boolean): string {
  const places = Array.from({ length: parameters }, (_, at) => `$${at + 1}`)
  return `SELECT ${name}(${places.join(',')})${isPooled ? '' : `, ${quickly}`}`
}

function reader<Places>(answer: string | null | undefined, places: Places, read: (numbers: readonly number[], places: Places) => readonly Outcome[]) {
  return async () => {
    try {
      if (typeof answer !== 'string') throw new Error('The admission statement answered nothing.')
      return read(decodeNumbers(answer), places)
    } catch (error) {
      throw new LostError(error)
    }
  }
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
    this.one = call('admit', 17, isPooled)
    this.whole = call('admit_whole', 19, isPooled)
  }

  /** @throws LostError when the outcome is unknown; any other error means that nothing was changed. */
  async ask(lane: Lane, requests: readonly AdmissionRequest[]): Promise<Decided> {
    const version = requests[0]?.serviceVersion ?? 0
    const batch = this.apart === 0 ? encodeWhole(version, requests) : null
    if (batch !== null) {
      const [answer, server] = await lane.run('admit_whole', this.whole, batch.values)
      if (answer !== null) return { server: server ?? '', read: reader(answer, batch, readWhole) }
      this.apart = apartFor
    } else if (this.apart > 0) {
      this.apart--
    }
    const { values, ...places } = encodeBatch(version, requests)
    const [answer, server] = await lane.run('admit', this.one, values)
    return { server: server ?? '', read: reader(answer, places, readOutcomes) }
  }
}
