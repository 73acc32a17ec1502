/** npm run client:generate: writes the generated files of both clients from the registry, via the OpenAPI document. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientSources } from './client-sources.ts'
import { pythonSources } from './python-sources.ts'

async function write(folder: string, sources: readonly { readonly name: string; readonly text: string }[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { name, text } of sources) await writeFile(join(folder, name), text)
}

const root = join(import.meta.dirname, '..')

await write(join(root, 'client/src/generated'), await clientSources())
await write(join(root, 'client-python/src/savings_rates/_generated'), await pythonSources())
