/** npm run client:generate: writes client/src/generated from the registry, via the OpenAPI document. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientSources } from './client-sources.ts'

const folder = join(import.meta.dirname, '../client/src/generated')

await mkdir(folder, { recursive: true })
for (const { name, text } of await clientSources()) await writeFile(join(folder, name), text)
