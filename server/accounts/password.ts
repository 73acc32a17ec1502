import { hash, verify } from '@node-rs/argon2'
import { isCommonPassword } from './common-passwords.ts'

const shortest = 12
const longest = 128

/** Argon2id as OWASP asks for at least: two passes over 19 MiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** One spelling of a password, so that it is the same whatever keyboard composed it. */
const normalise = (password: string): string => password.normalize('NFKC')

/** What is wrong with the length of a password, in characters as people count them, or null. */
export function passwordLengthFault(password: string): string | null {
  const length = [...normalise(password)].length
  if (length < shortest) return `Password must be ${shortest} characters or more.`
  return length > longest ? `Password must be ${longest} characters or fewer.` : null
}

/** What is wrong with a password that somebody wants to use, or null. There is no rule about its composition. */
export function passwordFault(password: string, email: string): string | null {
  if (password === '') return 'Enter a password.'
  const text = normalise(password)
  if (isCommonPassword(text)) return passwordLengthFault(text) ?? 'Password is one of those that are guessed first. Choose another.'
  if (text.toLowerCase() === email) return 'Password must not be your email address.'
  return passwordLengthFault(text)
}

export const hashPassword = (password: string): Promise<string> => hash(normalise(password), cost)

let nobodys: Promise<string> | null = null

/**
 * Whether the password is the one behind a hash. Without a hash it does the same work and says no, so that the time tells nobody which addresses are
 * known. Overlong texts are no passwords of anybody and are cut, again without saving the work.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobodys ??= hashPassword('the password of nobody at all')
  const isTrue = await verify(passwordHash ?? (await nobodys), normalise(password).slice(0, longest * 2))
  return isTrue && passwordHash !== null
}
