import { isIPv6 } from 'node:net'
import { clock } from '../clock.ts'
import { plainAddress } from '../keys/address-list.ts'

/** Calls a minute that one address may make without a working key. Guessing keys is hopeless anyway: this keeps a confused client from flooding the log. */
const perMinute = 1_000
const mostAddresses = 50_000

export type AddressWindow = { readonly limit: number; readonly left: number; readonly resetSeconds: number; readonly isOver: boolean }

/** The first four groups of an IPv6 address, with what `::` leaves out written as zeros. */
function firstGroups(address: string): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length)
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** An IPv6 caller owns a whole /64, so that is what is counted. */
function bucket(address: string | null): string {
  const plain = plainAddress(address ?? 'unknown')
  return isIPv6(plain) ? firstGroups(plain) : plain
}

/**
 * Counts calls without a working key by address, in UTC minutes, inside this process: such calls never touch the database.
 * With N processes an address has N times the allowance, which is fine for a guard that protects no money.
 */
export class AddressLimit {
  private minute = 0
  private counts = new Map<string, number>()

  count(address: string | null): AddressWindow {
    const now = clock.now()
    const minute = Math.floor(now / 60_000)
    if (minute !== this.minute || this.counts.size > mostAddresses) {
      this.minute = minute
      this.counts = new Map()
    }
    const key = bucket(address)
    const before = this.counts.get(key) ?? 0
    const isOver = before >= perMinute
    const used = isOver ? before : before + 1
    this.counts.set(key, used)
    return { limit: perMinute, left: perMinute - used, resetSeconds: Math.ceil(((minute + 1) * 60_000 - now) / 1000), isOver }
  }
}
