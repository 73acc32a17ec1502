import { networkOf } from '#server/keys/address-list.ts'
import { MinuteCount, type MinuteWindow } from './minute-count.ts'

export { networkOf }

/** Calls a minute that one address may make without a working key. Guessing keys is hopeless anyway: this keeps a confused client from flooding the log. */
const strangersPerMinute = 1_000

/** Counts calls by address. */
export class AddressLimit {
  private readonly calls: MinuteCount

  constructor(perMinute = strangersPerMinute) {
    this.calls = new MinuteCount(perMinute)
  }

  count(address: string | null): MinuteWindow {
    return this.calls.count(networkOf(address))
  }
}
