import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '#server/env.ts'

/** Returns the secret that signs cursors and sessions: NEXTAUTH_SECRET or, outside production, one generated once and stored in the data folder. */
export async function getSecret(env: Env): Promise<string> {
  if (env.secret !== null) return env.secret
  // A secret stored only in this folder would be lost with the machine: all users would be signed out and stored second factors could not be decrypted.
  if (!env.developmentFeatures) throw new Error('NEXTAUTH_SECRET must be set in production: 32 characters or more, the same for every process.')
  const path = join(env.dataDir, 'secret')
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Error(`${path} cannot be read: ${error.message}. Set NEXTAUTH_SECRET or repair the file.`)
  })
  if (kept !== null && kept.length >= 32) return kept
  await mkdir(env.dataDir, { recursive: true })
  const made = randomBytes(32).toString('hex')
  // Writes a temporary file and renames it, so that a process starting at the same moment never reads a partial file.
  await writeFile(`${path}.${process.pid}`, made, { mode: 0o600 })
  await rename(`${path}.${process.pid}`, path)
  return readFile(path, 'utf8')
}
