import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { randomBase62 } from '#server/ids.ts'

const keyOf = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `svc ${purpose}`, 32))

const ivBytes = 12
const tagBytes = 16

/** Encrypts a text for the database with a key that is not in it, bound to what it is about. */
export function seal(secret: string, purpose: string, about: string, text: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), iv).setAAD(Buffer.from(about))
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** @throws when it was sealed with another secret, for something else, or was changed. */
export function unseal(secret: string, purpose: string, about: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), sealed.subarray(0, ivBytes)).setAAD(Buffer.from(about))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8')
}

const tokenLength = 43

/** A token for a link: 256 bits. It is sent once and kept only as a hash. */
export const newToken = (): string => randomBase62(tokenLength)

/** Random enough that no salt and no slow hash is needed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
