import { randomBytes, randomFillSync } from 'node:crypto'
import { clock } from './clock.ts'

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const pool = Buffer.alloc(8192)
let used = pool.length

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = ''
  for (const end = used + bytes; used < end; used++) text += hex[pool[used] ?? 0]
  return text
}

/**
 * A version-7 UUID without dashes: 48 bits of milliseconds, then random bits. Sorts by time of creation, which is what the
 * partitions of the request log rely on.
 */
export function newRequestId(): string {
  const random = randomHex(10)
  const variant = hex[0x80 | (Number.parseInt(random.slice(3, 5), 16) & 0x3f)] ?? '80'
  return `${clock.now().toString(16).padStart(12, '0')}7${random.slice(0, 3)}${variant}${random.slice(5, 19)}`
}

/** The request id as callers see it. */
export const publicRequestId = (id: string): string => `req_${id}`

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random base-62 text from the system's secure source, without bias. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256: bytes from there on would favour the first letters.
      if (byte < 248 && text.length < length) text += letters[byte % 62]
    }
  }
  return text
}

/** An identifier that callers see, for example `key_4Fzq…`. */
export const newPublicId = (prefix: 'acc' | 'key' | 'top' | 'whe' | 'dlv' | 'adj' | 'chg' | 'lic'): string => `${prefix}_${randomBase62(16)}`
