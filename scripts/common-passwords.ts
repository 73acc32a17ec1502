/**
 * node scripts/common-passwords.ts LIST… Writes server/accounts/common-passwords.json from lists of common and breached passwords, one per line or as a JSON
 * array. Keeps only passwords of at least the minimum length, and stores the first five bytes of each one's hash, so that the file is small and reveals no
 * passwords.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const shortest = 12
const bytesKept = 5

const read = (path: string): string[] => {
  const text = readFileSync(path, 'utf8')
  return path.endsWith('.json') ? (JSON.parse(text) as string[]) : text.split('\n')
}

const passwords = new Set(
  process.argv
    .slice(2)
    .flatMap(read)
    .map((password) => password.trim().normalize('NFKC').toLowerCase())
    .filter((password) => [...password].length >= shortest),
)
const hashes = [...passwords].map((password) => createHash('sha256').update(password).digest().subarray(0, bytesKept)).sort(Buffer.compare)
const file = join(import.meta.dirname, '../server/accounts/common-passwords.json')
writeFileSync(file, `${JSON.stringify({ bytes: bytesKept, hashes: Buffer.concat(hashes).toString('base64') })}\n`)
console.log(`${hashes.length} passwords`)
