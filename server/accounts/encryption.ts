import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { randomBase62 } from '#server/ids.ts'

const deriveKey = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `svc ${purpose}`, 32))

const ivBytes = 12
const tagBytes = 16

/** Encrypts a string for storage in the database. The key is not in the database; `about` binds the ciphertext to its record. */
export function encrypt(secret: string, purpose: string, about: string, text: string): Buffer<ArrayBuffer> {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, purpose), iv).setAAD(Buffer.from(about))
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts a string. @throws if it was encrypted with another secret or for another record, or was tampered with. */
export function decrypt(secret: string, purpose: string, about: string, encrypted: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret, purpose), encrypted.subarray(0, ivBytes)).setAAD(Buffer.from(about))
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  return Buffer.concat([decipher.update(encrypted.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8')
}

const tokenLength = 43

/** Generates a link token with 256 bits of entropy. It is emailed once and stored only as a hash. */
export const newToken = (): string => randomBase62(tokenLength)

/** Hashes a token. It has enough entropy to need neither a salt nor a slow hash. */
export const hashToken = (token: string): Buffer<ArrayBuffer> => createHash('sha256').update(token).digest()
