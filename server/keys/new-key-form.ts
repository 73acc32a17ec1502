import { z } from 'zod'
import { type Scope, scopeNames } from '#server/api/contract/access.ts'
import { parseDay } from '#server/api/contract/dates.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { wholeTyped } from '#server/api/contract/formats.ts'
import { clock } from '#server/clock.ts'
import { faultyRanges } from './address-list.ts'
import type { NewOwnKey } from './manage-own-keys.ts'

/** New key as submitted by a form: every input is text. */
export const TypedKey = z.object({
  mode: z.string().max(10),
  name: z.string().max(1_000),
  scopes: z.array(z.string().max(40)).max(20),
  /** One address or range per line. */
  addresses: z.string().max(10_000),
  /** Credits per calendar month; empty for no cap. */
  cap: z.string().max(20),
  /** UTC date, such as 2027-03-01; the key expires at the start of that day. Empty if it never expires. */
  expires: z.string().max(20),
})

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
  if (day === null) return 'Expires on must be a date, e.g. 2027-03-01.'
  return day.getTime() > clock.now() ? null : 'Expires on must be a date in the future.'
}

const isMode = (mode: string): mode is Mode => mode === 'test' || mode === 'live'
const isScope = (scope: string): scope is Scope => (scopeNames as readonly string[]).includes(scope)

/** Parses a new key from a form. @throws FieldsError with a message for each invalid field */
export function readNewKey(typed: z.infer<typeof TypedKey>): NewOwnKey {
  const { mode } = typed
  const name = typed.name.trim()
  const scopes = typed.scopes.filter(isScope)
  const cap = typed.cap.trim()
  const isLive = mode === 'live'
  refuseFaults({
    mode: isMode(mode) ? null : 'Choose test or live.',
    name: nameFault(name),
    scopes: scopes.length === 0 ? 'Choose at least one scope.' : null,
    addresses: isLive ? addressesFault(typed.addresses) : null,
    cap: isLive ? capFault(cap) : null,
    expires: expiryFault(typed.expires.trim()),
  })
  return {
    mode: isLive ? 'live' : 'test',
    name,
    scopes,
    // Test keys read sample data and spend nothing, so address lists and caps don't apply to them.
    addresses: isLive ? lines(typed.addresses).filter((line) => line !== '') : [],
    capCredits: isLive && cap !== '' ? wholeTyped(cap) : null,
    expiresAt: parseDay(typed.expires.trim()),
  }
}
