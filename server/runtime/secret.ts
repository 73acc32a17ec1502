import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '#server/env.ts'

/** The secret that signs cursors and sessions: NEXTAUTH_SECRET, else, outside production, one that is made once and kept in the data folder. */
export async function secretOf(env: Env): Promise<string> {
  if (env.secret !== null) return env.secret
  // A folder that is lost with its machine would sign everybody out and leave second factors that nobody can open.
  if (!env.developmentFeatures) throw new Error('NEXTAUTH_SECRET must be set in production: 32 characters or more, the same for every process.')
  const path = join(env.dataDir, 'secret')
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Error(`${path} cannot be read: ${error.message}. Set NEXTAUTH_SECRET or mend the file.`)
  })
  if (kept !== null && kept.length >= 32) return kept
  await mkdir(env.dataDir, { recursive: true })
  const made = randomBytes(32).toString('hex')
  // Written beside and renamed, so that a process that starts at the same moment never reads half of it.
  await writeFile(`${path}.${process.pid}`, made, { mode: 0o600 })
  await rename(`${path}.${process.pid}`, path)
  return readFile(path, 'utf8')
}
