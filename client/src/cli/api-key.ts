import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { UsageError } from './usage.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const getCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

function defaultFile(env: Environment): string {
  return join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'savings-rates/key')
}

/** Reads a key from a file. @throws UsageError if other users can read the file too, or if it can't be read */
async function readKeyFile(file: string): Promise<string> {
  const { mode } = await stat(file)
  // Windows has no such permissions.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw new UsageError(`Other users have access to ${file}: run chmod 600 on it.`)
  const key = (await readFile(file, 'utf8')).trim()
  if (key === '') throw new UsageError(`${file} is empty: write your API key to it.`)
  return key
}

/** Returns the key in SVC_API_KEY, or in a file that only the user can read. No option takes the key, because other users can see a process's arguments. */
export async function readApiKey(env: Environment): Promise<string> {
  if (env['SVC_API_KEY']) return env['SVC_API_KEY']
  const file = env['SVC_API_KEY_FILE'] || defaultFile(env)
  try {
    return await readKeyFile(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const isMissing = getCode(error) === 'ENOENT' && !env['SVC_API_KEY_FILE']
    throw new UsageError(
      isMissing
        ? `No API key found. Set SVC_API_KEY to your key, or write your key to ${file}.`
        : `${file} can't be read (${getCode(error)}). Check that it exists and that you can read it.`,
    )
  }
}
