import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const manifest = join(import.meta.dirname, '../../.next/server/app/portal/keys/page_client-reference-manifest.js')

/** Returns the scripts of a file under app/ from the build manifest, such as `static/chunks/0a1b.js`. */
function scriptsFor(file: string): string[] {
  const [, entries = ''] = readFileSync(manifest, 'utf8').split('"entryJSFiles":')
  const [, list] = new RegExp(`"\\[project\\]/app/${file}":(\\[[^\\]]+\\])`).exec(entries) ?? []
  if (list === undefined) throw new Error(`The build manifest has no scripts for app/${file}.`)
  return JSON.parse(list)
}

/** Returns the URLs of the scripts that `file` under app/ needs and `other` does not. */
export function getScriptsOnly(file: string, other: string): ReadonlySet<string> {
  const others = new Set(scriptsFor(other))
  return new Set(
    scriptsFor(file)
      .filter((script) => !others.has(script))
      .map((script) => `/_next/${script}`),
  )
}
