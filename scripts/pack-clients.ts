/** node scripts/pack-clients.ts --url URL --repository URL --licence SPDX [--out FOLDER]: builds the client packages for publishing. See docs/publishing.md. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkPublisher, packTypeScript, preparePython } from './client-packages.ts'

const { values } = parseArgs({
  options: { url: { type: 'string' }, repository: { type: 'string' }, licence: { type: 'string' }, out: { type: 'string', default: 'packages' } },
})
const { url, repository, licence, out } = values
if (!(url && repository && licence)) {
  console.error('Usage: node scripts/pack-clients.ts --url https://api.example.com --repository https://example.com/git/savings --licence MIT [--out packages]')
  process.exit(2)
}
const publisher = checkPublisher({ url, repository, licence })
const folder = resolve(out)
console.log(await packTypeScript(publisher, folder))
console.log(await preparePython(publisher, folder))
