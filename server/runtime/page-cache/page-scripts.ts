import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Hashes of the script files of the build, by path, such as `static/chunks/main.js`. */
export type ScriptFiles = Readonly<Record<string, string>>

/** Reads the hashes that Next.js wrote at build time, because of `experimental.sri` in next.config.mjs. */
export const readScriptFiles = (home: string): ScriptFiles =>
  JSON.parse(readFileSync(join(home, '.next/server/subresource-integrity-manifest.json'), 'utf8')) as ScriptFiles

const script = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

/**
 * Returns a page without its nonce, and the hashes of the scripts that Next wrote: of the text of inline scripts, and of the other scripts' files. Scripts
 * without the nonce came with the content and get no hash, so the browser blocks them. @throws if a script file is not part of the build
 */
export function hashScripts(html: string, nonce: string, files: ScriptFiles): { html: string; hashes: string[] } {
  const hashes = new Set<string>()
  const hashed = html.replace(script, (tag: string, attributes: string, code: string) => {
    // Browsers that support hashes ignore scripts for older browsers.
    if (!attributes.includes(`nonce="${nonce}"`) || /\snomodule\b/i.test(attributes)) return tag
    const source = /\ssrc="\/_next\/([^"?]+)/.exec(attributes)?.[1]
    if (source === undefined) {
      if (/\ssrc=/.test(attributes)) throw new Error('A page has a script from another path than /_next.')
      hashes.add(`sha256-${hash('sha256', code.replaceAll(nonce, ''), 'base64')}`)
      return tag
    }
    const integrity = files[source]
    if (integrity === undefined) throw new Error(`The build has no hash for the script ${source}.`)
    hashes.add(integrity)
    // Next adds the hash to the first scripts of a page only.
    return attributes.includes('integrity="') ? tag : tag.replace('<script', `<script integrity="${integrity}"`)
  })
  return { html: hashed.replaceAll(nonce, ''), hashes: [...hashes] }
}
