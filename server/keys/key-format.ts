import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { randomBase62 } from '#server/ids.ts'

const randomLength = 30
const checksumLength = 6

/** Who a key is for: callers of v1, or partners of the API before it. Neither is taken for the other. */
const shapes = { api: /^svc_(test|live)_[0-9A-Za-z]{36}$/, partner: /^svc_partner_[0-9A-Za-z]{36}$/ } as const

export type KeyAudience = keyof typeof shapes

/** Six characters over the rest of the key, so that a mistyped or made-up key is refused without a look into the database. */
function checksum(text: string): string {
  return crc32(text)
    .toString(36)
    .padStart(checksumLength + 1, '0')
    .slice(-checksumLength)
}

/** A new key, for example `svc_live_…`: 30 random characters (178 bits) and a checksum. It is shown once and kept only as a hash. */
export function newKey(kind: Mode | 'partner'): string {
  return sealKey(`svc_${kind}_${randomBase62(randomLength)}`)
}

/** A key from everything but its checksum. */
export const sealKey = (body: string): string => body + checksum(body)

/** Whether a text can be a key of an audience at all: right shape, right checksum. */
export function isWellFormed(key: string, audience: KeyAudience = 'api'): boolean {
  if (!shapes[audience].test(key)) return false
  return checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
}

/** The SHA-256 under which a key is stored. A key is random enough that no salt and no slow hash is needed. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The last four characters, by which a person tells keys apart. */
export const keyHint = (key: string): string => key.slice(-4)
