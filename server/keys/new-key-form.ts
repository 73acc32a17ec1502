import { z } from 'zod'
import { type Scope, scopeNames } from '#server/api/contract/access.ts'
import { dayMs, parseDay } from '#server/api/contract/dates.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { wholeTyped } from '#server/api/contract/formats.ts'
import { clock } from '#server/clock.ts'
import { faultyRanges } from './address-list.ts'
import type { KeyAccess } from './key-access.ts'
import type { NewOwnKey } from './manage-own-keys.ts'

/** Access of a key as submitted by a form: every input is text. */
export const TypedAccess = z.object({
  name: z.string().max(1_000),
  scopes: z.array(z.string().max(40)).max(20),
  /** One address or range per line. Live keys only. */
  addresses: z.string().max(10_000).default(''),
  /** Credits per calendar month; empty for no cap. Live keys only. */
  cap: z.string().max(20).default(''),
  /** UTC date, such as 2027-03-01; the key expires at the start of that day. Empty if it never expires. */
  expires: z.string().max(20),
})

type TypedAccess = z.infer<typeof TypedAccess>

/** New key as submitted by a form. */
export const TypedKey = TypedAccess.extend({ mode: z.string().max(10) })

const maxNameLength = 60
const maxRanges = 100
const maxCap = 1_000_000_000

const listFormat = new Intl.ListFormat('en-GB')

const lines = (text: string): string[] => text.split('\n').map((line) => line.trim())

function nameFault(name: string): string | null {
  if (name === '') return 'Enter a name for this key.'
  return name.length > maxNameLength ? `Name must be ${maxNameLength} characters or fewer.` : null
}

function addressesFault(text: string): string | null {
  const given = lines(text)
  if (given.filter((line) => line !== '').length > maxRanges) return `Enter at most ${maxRanges} addresses and ranges.`
  const faulty = given.flatMap((line, at) => (line !== '' && faultyRanges([line]).length > 0 ? [String(at + 1)] : []))
  if (faulty.length < 2) return faulty.length === 0 ? null : `Line ${faulty[0]} is not an IP address or range.`
  return `Lines ${listFormat.format(faulty)} are not IP addresses or ranges.`
}

function capFault(cap: string): string | null {
  if (cap === '') return null
  const credits = wholeTyped(cap)
  return credits >= 0 && credits <= maxCap ? null : 'Monthly cap must be a whole number of credits.'
}

function expiryFault(text: string): string | null {
  if (text === '') return null
  const day = parseDay(text)
  if (day === null) return 'Enter an expiry date such as 2027-03-01.'
  return day.getTime() > clock.now() ? null : 'The expiry date must be in the future.'
}

const isMode = (mode: string): mode is Mode => mode === 'test' || mode === 'live'
const isScope = (scope: string): scope is Scope => (scopeNames as readonly string[]).includes(scope)

/** Returns the error of each field, or null. `isSameExpiry` is true if the expiry is unchanged. */
function accessFaults({ name, scopes, addresses, cap, expires }: TypedAccess, isLive: boolean, isSameExpiry: boolean) {
  return {
    name: nameFault(name.trim()),
    scopes: scopes.some(isScope) ? null : 'Choose at least one permission.',
    addresses: isLive ? addressesFault(addresses) : null,
    cap: isLive ? capFault(cap.trim()) : null,
    expires: isSameExpiry ? null : expiryFault(expires.trim()),
  }
}

function toAccess({ name, scopes, addresses, cap, expires }: TypedAccess, isLive: boolean): KeyAccess {
  return {
    name: name.trim(),
    scopes: scopes.filter(isScope),
    // Test keys read sample data and spend nothing, so address lists and caps don't apply to them.
    addresses: isLive ? lines(addresses).filter((line) => line !== '') : [],
    capCredits: isLive && cap.trim() !== '' ? wholeTyped(cap.trim()) : null,
    expiresAt: parseDay(expires.trim()),
  }
}

/** Parses a new key from a form. @throws FieldsError with a message for each invalid field */
export function readNewKey({ mode, ...typed }: z.infer<typeof TypedKey>): NewOwnKey {
  const isLive = mode === 'live'
  refuseFaults({ mode: isMode(mode) ? null : 'Choose test or live.', ...accessFaults(typed, isLive, false) })
  return { mode: isLive ? 'live' : 'test', ...toAccess(typed, isLive) }
}

/**
 * Parses a change to a key. An expiry that the form shows as a day stays exactly as it is unless the day is changed.
 * @throws FieldsError with a message for each invalid field
 */
export function readKeyChange(typed: TypedAccess, { mode, expiresAt }: { readonly mode: Mode; readonly expiresAt: Date | null }): KeyAccess {
  const isSameExpiry = expiresAt !== null && parseDay(typed.expires.trim())?.getTime() === Math.floor(expiresAt.getTime() / dayMs) * dayMs
  refuseFaults(accessFaults(typed, mode === 'live', isSameExpiry))
  const access = toAccess(typed, mode === 'live')
  return isSameExpiry ? { ...access, expiresAt } : access
}
