import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypes, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture } from '../v1/support/fixture.ts'
import { withHeyApi, withOpenApiFetch } from './support/client-sources.ts'
import { busyTestKey } from './support/test-key.ts'

const fixture = new Fixture('lean')
const root = join(import.meta.dirname, '../..')
let folder = ''

/** Generates both clients from the served document, in a folder that resolves packages like a developer's project. */
beforeAll(async () => {
  await fixture.open()
  folder = await mkdtemp(join(tmpdir(), 'svc-clients-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const document = (await fixture.raw('GET', '/api/developer/openapi.json')).body
  await writeFile(join(folder, 'schema.ts'), astToString(await openapiTypes(structuredClone(document))))
  await mkdir(join(folder, 'hey'))
  const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'] as const
  await createClient({
    input: document,
    output: { path: join(folder, 'hey'), module: { extension: '.ts' } },
    plugins: [...plugins],
    logs: { level: 'silent', file: false },
  })
  await writeFile(join(folder, 'with-openapi-fetch.ts'), withOpenApiFetch)
  await writeFile(join(folder, 'with-hey-api.ts'), withHeyApi)
})

afterAll(async () => {
  await fixture.close()
  await rm(folder, { recursive: true, force: true })
})

const clients = ['with-openapi-fetch.ts', 'with-hey-api.ts']

test('developer code compiles in strict mode against the generated clients', { timeout: 60_000 }, () => {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    types: [],
  }
  const program = ts.createProgram(
    clients.map((name) => join(folder, name)),
    options,
  )
  const faults = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
  expect(faults).toEqual([])
})

test.each(clients)('the generated client in %s can call the running service', async (name) => {
  const { key } = await busyTestKey(fixture)
  const { use } = (await import(join(folder, name))) as { use: (baseUrl: string, key: string) => Promise<object> }
  expect(await use(fixture.service.api, key)).toMatchObject({ rows: 2, next: expect.any(String), same: true, months: true, refused: 'invalid_request' })
})
