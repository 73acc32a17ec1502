import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** Code that must not compile. Each case is a separate virtual file, compiled with the settings of the project. */

const root = join(import.meta.dirname, '../..')

const head = `
import { z } from 'zod'
import { refuse } from '#server/api/contract/errors.ts'
import { defineItem, defineList, defineWhole } from '#server/api/endpoints/define.ts'
const Row = z.object({ sourceKey: z.string(), rate: z.string(), size: z.number().nullable() })
const row = { sourceKey: 'a', rate: '4.50', size: 1 }
const facts = { no: 900, tool: 'x', summary: 'X.', scope: 'rates:read', price: { credits: 1, per: 'request' }, live: 'open' } as const
`

const sound: Record<string, string> = {
  'an item': `export const e = defineItem({ ...facts, id: 'x.get', path: '/x/{sourceKey}', input: z.object({ sourceKey: z.string() }), output: Row, handle: ({ sourceKey }) => ({ ...row, sourceKey }) })`,
  'a list': `export const e = defineList({ ...facts, id: 'x', path: '/x', price: { credits: 1, per: 'row' }, input: z.object({}), row: Row, getKey: (one) => one.sourceKey, handle: (_input, page) => ({ rows: [row].slice(0, page.limit), more: false }) })`,
  'a whole list': `export const e = defineWhole({ ...facts, id: 'x', path: '/x', input: z.object({}), row: Row, handle: async () => [row] })`,
  'one of several scopes': `export const e = defineItem({ ...facts, scope: ['cards:read', 'market:read'], id: 'x', path: '/x', input: z.object({}), output: Row, handle: () => row })`,
  'an error with its field': `export const r = refuse('insufficient_scope', { required: 'rates:read' })`,
  'an error that needs no field': `export const r = refuse('not_found')`,
}

const item = (changes: string) =>
  `export const e = defineItem({ ...facts, id: 'x.get', path: '/x/{sourceKey}', input: z.object({ sourceKey: z.string() }), output: Row, handle: () => row, ${changes} })`
const list = (changes: string) =>
  `export const e = defineList({ ...facts, id: 'x', path: '/x', price: { credits: 1, per: 'row' }, input: z.object({}), row: Row, getKey: () => 'a', handle: () => ({ rows: [row], more: false }), ${changes} })`

const faulty: Record<string, string> = {
  'a path parameter missing from the input': item('input: z.object({})'),
  'a path parameter under another name': item('input: z.object({ slug: z.string() })'),
  'a path without a slash': item(`path: 'x/{sourceKey}'`),
  'a handler that omits a field': item(`handle: () => ({ sourceKey: 'a', rate: '4.50' })`),
  'a handler with a field of the wrong type': item('handle: () => ({ ...row, rate: 4.5 })'),
  'a handler that returns null for a non-nullable field': item(`handle: () => ({ sourceKey: null, rate: '', size: 1 })`),
  'a handler that reads an undeclared parameter': item('handle: ({ slug }) => ({ ...row, sourceKey: slug })'),
  'a handler that treats a string parameter as a number': item('handle: ({ sourceKey }) => ({ ...row, size: sourceKey })'),
  'a handler that adds a field': item(`handle: () => ({ sourceKey: 'a', rate: '4.50', size: 1, secret: 2 })`),
  'a handler that returns nothing': item('handle: () => undefined'),
  'an unknown scope': item(`scope: 'rates:write'`),
  'an unknown scope among several': item(`scope: ['rates:read', 'x']`),
  'an unknown availability': item(`live: 'closed'`),
  'an unknown plan': item(`plan: 'gold'`),
  'an invalid price': item('price: 5'),
  'a list whose handler returns a bare array': list('handle: () => [row]'),
  'a list with a row of the wrong shape': list(`handle: () => ({ rows: [{ sourceKey: 'a' }], more: false })`),
  'a list whose key is not a string': list('getKey: (one) => one.size'),
  'a list without a key': `export const e = defineList({ ...facts, id: 'x', path: '/x', price: { credits: 1, per: 'row' }, input: z.object({}), row: Row, handle: () => ({ rows: [row], more: false }) })`,
  'an endpoint without a number': `const { no: _, ...rest } = facts
export const e = defineItem({ ...rest, id: 'x', path: '/x', input: z.object({}), output: Row, handle: () => row })`,
  'an error without its required field': `export const r = refuse('insufficient_scope')`,
  'an error with a field of another error': `export const r = refuse('insufficient_scope', { retryAfter: 3 })`,
  'an error with a field of the wrong type': `export const r = refuse('insufficient_credits', { required: '1', balance: 0, topUp: '' })`,
  'an error code that refuse() does not accept': `export const r = refuse('method_not_allowed')`,
}

const getFile = (kind: string, at: number) => join(import.meta.dirname, `virtual-${kind}-${at}.ts`)

/** Returns the compiler messages for each file. */
function compile(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root)
  const host = ts.createCompilerHost({ ...options, incremental: false })
  const { fileExists, readFile } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name) ?? readFile(name)
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) => {
    const text = files.get(name)
    return text === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, text, ts.ScriptTarget.ES2024, true)
  }
  const program = ts.createProgram([...files.keys()], { ...options, incremental: false, noUnusedLocals: false }, host)
  const getMessages = (name: string) =>
    [...program.getSyntacticDiagnostics(program.getSourceFile(name)), ...program.getSemanticDiagnostics(program.getSourceFile(name))].map((one) =>
      ts.flattenDiagnosticMessageText(one.messageText, ' '),
    )
  return new Map([...files.keys()].map((name) => [name, getMessages(name)]))
}

test('rejects contradictory declarations at compile time', { timeout: 60_000 }, () => {
  expect(dirname(getFile('sound', 0))).toBe(import.meta.dirname)
  const files = new Map<string, string>()
  for (const [at, code] of Object.values(sound).entries()) files.set(getFile('sound', at), head + code)
  for (const [at, code] of Object.values(faulty).entries()) files.set(getFile('faulty', at), head + code)
  const messages = compile(files)
  for (const [at, name] of Object.keys(sound).entries()) expect([name, messages.get(getFile('sound', at))]).toEqual([name, []])
  const compiled = Object.keys(faulty).filter((_, at) => messages.get(getFile('faulty', at))?.length === 0)
  expect(compiled, 'These compile, but must not').toEqual([])
})
