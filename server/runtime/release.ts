import { readFile } from 'node:fs/promises'

/** Returns the running release, from package.json. */
export async function releaseHere(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
