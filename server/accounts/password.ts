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

/** Words about which an attacker knows that they concern this account. */
export type PasswordContext = { readonly email: string; readonly name?: string }

const shortestWord = 4
const productWord = 'savingsrates'

/** Letters and digits in lower case: spaces and signs between them do not make a word another one. */
const squeezed = (text: string): string =>
  normalise(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The parts of an email address that have four characters or more, without the last part of its domain. */
function emailParts(email: string): string[] {
  const [local = '', domain = ''] = email.split('@')
  return [local, ...domain.split('.').slice(0, -1)].flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).map(squeezed)
}

/** Returns why a password is too close to its account or to this service, or null. */
function contextFault(password: string, { email, name = '' }: PasswordContext): string | null {
  const text = squeezed(password)
  const holds = (word: string): boolean => word.length >= shortestWord && text.includes(word)
  if (holds(productWord)) return 'Password must not contain the name of this service.'
  if (emailParts(email).some(holds)) return 'Password must not contain a part of your email address.'
  return holds(squeezed(name)) ? 'Password must not contain the name of your account.' : null
}

/** What is wrong with a password that somebody wants to use, or null. There is no rule about its composition. */
export function passwordFault(password: string, context: PasswordContext): string | null {
  if (password === '') return 'Enter a password.'
  const text = normalise(password)
  if (isCommonPassword(text)) return passwordLengthFault(text) ?? 'Password is one of those that are guessed first. Choose another.'
  if (text.toLowerCase() === context.email) return 'Password must not be your email address.'
  return passwordLengthFault(text) ?? contextFault(text, context)
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
