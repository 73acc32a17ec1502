import { randomBytes, randomFillSync } from 'node:crypto'
import { clock } from './clock.ts'

const randomBytesOfId = 10
const pool = Buffer.alloc(800 * randomBytesOfId)
let used = pool.length
let moment = -1
let momentHex = ''

/**
 * Creates a version-7 UUID without dashes: 48 bits of milliseconds, then random bits. They sort by creation time, which the partitions of the request log rely
 * on.
 */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const now = clock.now()
  if (now !== moment) {
    moment = now
    momentHex = now.toString(16).padStart(12, '0')
  }
  const from = used
  used += randomBytesOfId
  pool[from] = 0x70 | ((pool[from] ?? 0) & 0x0f)
  pool[from + 2] = 0x80 | ((pool[from + 2] ?? 0) & 0x3f)
  return momentHex + pool.toString('hex', from, used)
}

/** Formats a request id for callers. */
export const publicRequestId = (id: string): string => `req_${id}`

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns random base-62 text from the system's secure random source. All characters are equally likely. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256. Accepting higher bytes would favour the first characters of the alphabet.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

/** Creates an identifier that callers see, such as `key_4Fzq…`. */
export const newPublicId = (
  prefix: 'acc' | 'key' | 'top' | 'whe' | 'dlv' | 'adj' | 'chg' | 'lic' | 'tic' | 'inc' | 'sub' | 'inv' | 'app' | 'alr' | 'aln' | 'ale',
): string => `${prefix}_${randomBase62(16)}`
