import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const manifest = join(import.meta.dirname, '../../.next/server/app/portal/keys/page_client-reference-manifest.js')

/** The scripts of a file under app/ by the notes of the build, such as `static/chunks/0a1b.js`. */
function scriptsOf(file: string): string[] {
  const [, entries = ''] = readFileSync(manifest, 'utf8').split('"entryJSFiles":')
  const [, list] = new RegExp(`"\\[project\\]/app/${file}":(\\[[^\\]]+\\])`).exec(entries) ?? []
  if (list === undefined) throw new Error(`The build notes no scripts of app/${file}.`)
  return JSON.parse(list)
}

/** Addresses of the scripts that one file under app/ needs and another does not. */
export function scriptsOnlyOf(file: string, other: string): ReadonlySet<string> {
  const others = new Set(scriptsOf(other))
  return new Set(
    scriptsOf(file)
      .filter((script) => !others.has(script))
      .map((script) => `/_next/${script}`),
  )
}
