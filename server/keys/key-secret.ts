import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { randomBase62 } from '#server/ids.ts'

const randomLength = 30
const checksumLength = 6

/** Key formats of v1 (`api`) and of the older partner API. Neither API accepts the other's keys. */
const shapes = { api: /^svc_(test|live)_[0-9A-Za-z]{36}$/, partner: /^svc_partner_[0-9A-Za-z]{36}$/ } as const

export type KeyAudience = keyof typeof shapes

/** Computes the six checksum characters of a key. With them, mistyped and made-up keys are rejected without a database lookup. */
function checksum(text: string): string {
  return crc32(text)
    .toString(36)
    .padStart(checksumLength + 1, '0')
    .slice(-checksumLength)
}

/** Generates a key such as `svc_live_…`: 30 random characters (178 bits) and a checksum. Shown once; only its hash is stored. */
export function newKey(kind: Mode | 'partner'): string {
  return appendChecksum(`svc_${kind}_${randomBase62(randomLength)}`)
}

/** Completes a key by appending its checksum. */
export const appendChecksum = (body: string): string => body + checksum(body)

/** Returns true if a key has the format of the given API and a correct checksum. */
export function isWellFormed(key: string, audience: KeyAudience = 'api'): boolean {
  if (!shapes[audience].test(key)) return false
  return checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
}

/** Returns the SHA-256 under which a key is stored. Keys have enough entropy to need neither a salt nor a slow hash. */
export function hashKey(key: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(key).digest()
}

/** Returns the last four characters, which identify a key to people. */
export const keyHint = (key: string): string => key.slice(-4)
