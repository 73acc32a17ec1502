import { getNetwork } from '#server/keys/address-list.ts'
import { MinuteCount, type MinuteWindow } from './rate-windows.ts'

export { getNetwork }

/** Calls per minute from one address without a valid key. Keys can't be guessed anyway; this stops a misconfigured client from flooding the log. */
const unauthenticatedPerMinute = 1_000

/** Counts calls per network address. */
export class AddressLimit {
  private readonly calls: MinuteCount

  constructor(perMinute = unauthenticatedPerMinute) {
    this.calls = new MinuteCount(perMinute)
  }

  count(address: string | null): MinuteWindow {
    return this.calls.count(getNetwork(address))
  }
}
