import { hash, verify } from '@node-rs/argon2'
import { isCommonPassword } from './common-passwords.ts'

const minLength = 12
const maxLength = 128

/** Argon2id with OWASP's minimum parameters: two passes over 19 MiB. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Normalises a password (NFKC), so that it doesn't depend on how the keyboard composes characters. */
const normalise = (password: string): string => password.normalize('NFKC')

/** Returns an error if a password is too short or too long, counted in code points, or null. */
export function passwordLengthFault(password: string): string | null {
  const length = [...normalise(password)].length
  if (length < minLength) return `Password must be ${minLength} characters or more.`
  return length > maxLength ? `Password must be ${maxLength} characters or fewer.` : null
}

/** Account details that a password must not contain. */
export type PasswordContext = { readonly email: string; readonly name?: string }

const minWordLength = 4
const productWord = 'savingsrates'

/** Lower-cases a text and keeps only letters and digits, so that spaces and punctuation don't hide a word. */
const squeezed = (text: string): string =>
  normalise(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Splits an email into its local part and domain labels, except the top-level domain, and their words. */
function emailParts(email: string): string[] {
  const [local = '', domain = ''] = email.split('@')
  return [local, ...domain.split('.').slice(0, -1)].flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).map(squeezed)
}

/** Returns an error if a password is too close to the account's details or the product name, or null. */
function contextFault(password: string, { email, name = '' }: PasswordContext): string | null {
  const text = squeezed(password)
  const holds = (word: string): boolean => word.length >= minWordLength && text.includes(word)
  if (holds(productWord)) return 'Password must not contain the name of this service.'
  if (emailParts(email).some(holds)) return 'Password must not contain a part of your email address.'
  return holds(squeezed(name)) ? 'Password must not contain the name of your account.' : null
}

/** Returns an error if a password is not acceptable, or null. There are no composition rules. */
export function passwordFault(password: string, context: PasswordContext): string | null {
  if (password === '') return 'Enter a password.'
  const text = normalise(password)
  if (isCommonPassword(text)) return passwordLengthFault(text) ?? 'This password is too common. Choose another.'
  if (text.toLowerCase() === context.email) return 'Password must not be your email address.'
  return passwordLengthFault(text) ?? contextFault(text, context)
}

export const hashPassword = (password: string): Promise<string> => hash(normalise(password), cost)

let placeholderHash: Promise<string> | null = null

/**
 * Verifies a password against a hash. Without a hash it does the same work and returns false, so that response times don't reveal which addresses are
 * registered. Overlong input is truncated, which costs the same work, and can't match.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  placeholderHash ??= hashPassword('placeholder for an unknown account')
  const isTrue = await verify(passwordHash ?? (await placeholderHash), normalise(password).slice(0, maxLength * 2))
  return isTrue && passwordHash !== null
}
