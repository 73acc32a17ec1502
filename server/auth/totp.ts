import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Time-based one-time passwords (RFC 6238) with the parameters every authenticator app supports: SHA-1, six digits, 30 seconds. */
const stepSeconds = 30
const digits = 6
const secretBytes = 20
/** Steps accepted before and after the current one, to allow for clock drift. */
const drift = 1

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function toBase32(bytes: Buffer): string {
  let [text, bits, value] = ['', 0, 0]
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    for (; bits >= 5; bits -= 5) text += characters[(value >> (bits - 5)) & 31]
  }
  return bits > 0 ? text + characters[(value << (5 - bits)) & 31] : text
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let [bits, value] = [0, 0]
  for (const message of text) {
    value = ((value << 5) | characters.indexOf(message)) & 0xffff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 0xff)
  }
  return Buffer.from(bytes)
}

/** Generates a secret in base 32, as authenticator apps expect it. */
export const newTotpSecret = (): string => toBase32(randomBytes(secretBytes))

/** Returns the code for a step, the number of 30-second periods since 1970. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

export const stepAt = (ms: number): number => Math.floor(ms / 1_000 / stepSeconds)

/** Returns the step near `now` that a code belongs to, or null. */
export function getStep(secret: string, code: string, now: number): number | null {
  const given = Buffer.from(code)
  for (let step = Math.max(0, stepAt(now) - drift); step <= stepAt(now) + drift; step++) {
    const right = Buffer.from(codeAt(secret, step))
    if (given.length === right.length && timingSafeEqual(given, right)) return step
  }
  return null
}

/** Returns the URI encoded in the QR code. */
export function totpUri(secret: string, email: string): string {
  const issuer = 'Savings Rates API'
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${email}`)}?${new URLSearchParams({ secret, issuer })}`.replaceAll('+', '%20')
}
