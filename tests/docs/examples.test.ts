/** Runs all commands, programs and samples in the documentation. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { firstCallSnippets } from '#components/portal/snippets.ts'
import { operationPath } from '#server/api/documents/reference/operation-groups.ts'
import { siteDocuments } from '#server/api/documents/site/site-documents.ts'
import { accountEndpoints } from '#server/api/endpoints/registry.ts'
import { managingTestKey, type OwnWebhook } from '../published/support/own-webhook.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { readCurl, runCurl } from './support/curl.ts'
import { blocksIn, type CodeBlock, codeOnPage, getBlocks, getTokens, readTexts } from './support/docs-text.ts'
import { checkMessages } from './support/json-checks.ts'
import { isInstalled, runGoProgram, runPrograms, Shell } from './support/programs.ts'

const fixture = new Fixture('next')
const texts = new Map<string, string>()
let webhook: OwnWebhook
let key = ''

/** Reference pages of the endpoints that change the account. */
const actionPages = new Set(accountEndpoints.filter(({ method }) => method !== 'GET').map((entry): string => operationPath(entry)))

/** Returns the README with the local URL replaced by the URL of the service under test. */
const readme = () => readFileSync('README.md', 'utf8').replaceAll('http://localhost:3000', fixture.service.origin)

beforeAll(async () => {
  await fixture.open()
  // Running all the examples in one minute exceeds the rate limit of a test key.
  const managing = await managingTestKey(fixture)
  webhook = managing.webhook
  key = managing.caller.key
  for (const [path, text] of await readTexts(fixture.service.origin)) texts.set(path, webhook.withOwnIds(text))
  texts.set('README.md', readme())
})

afterAll(() => fixture.close())

// Examples change and delete the webhook endpoint.
beforeEach(() => webhook.restore())

const getStatus = ({ words }: CodeBlock) => Number(words.find((word) => word.startsWith('status='))?.slice('status='.length) ?? 200)

/** Replaces the shortened keys in an example, which represent the reader's key, with `own`. */
const withKey = (code: string, own: string) => code.replace(/svc_(?:test|live)_…/g, own)

const tags = new Map<string, string>()

async function expectAnswer(code: string, where: string, status: number): Promise<void> {
  const response = await runCurl(readCurl(withKey(code, key), { SVC_API_KEY: key }), tags)
  const body = await response.text()
  expect([where, code, response.status], body).toEqual([where, code, status])
  if (code.includes('/mcp')) expect(JSON.parse(body).result.isError ?? false, body).toBe(false)
}

const isCurl = ({ code }: CodeBlock) => code.startsWith('curl ')

/** Returns true for examples of calls that change the account. */
const isAction = ({ path }: CodeBlock) => actionPages.has(path)

/** Moves the example that deletes the webhook endpoint after those that need it. */
const deleteLast = (blocks: readonly CodeBlock[]) => {
  const isDelete = ({ path }: CodeBlock) => path === '/reference/webhooks-delete'
  return [...blocks.filter((block) => !isDelete(block)), ...blocks.filter(isDelete)]
}

/** Returns only the curl commands from a block of start-up output. */
const printedIn = ({ language, code }: CodeBlock) => (language === '' ? (code.match(/^ *curl .*$/gm) ?? []).map((line) => line.trim()) : [])

test('every curl command returns the documented response', async () => {
  const blocks = deleteLast(blocksIn(texts, 'sh').filter(isCurl))
  for (const block of blocks) await expectAnswer(block.code, block.path, getStatus(block))
  const printed = getBlocks(texts).flatMap((block) => printedIn(block).map((line) => [block.path, line] as const))
  for (const [path, line] of printed) await expectAnswer(line, path, 200)
  expect(printed.map(([path]) => path)).toEqual(['README.md'])
  // There is one command for each available endpoint, plus those in the guides.
  expect(blocks.length).toBeGreaterThan(siteDocuments.filter(({ path }) => path.startsWith('/reference/')).length + 5)
})

/** Runs the same commands in a shell with the real curl, as readers would. */
test('every curl command works in a shell, and /mcp responses can be piped', async ({ annotate }) => {
  if (!isInstalled('curl')) return void (await annotate('curl is not installed: only the test above checks its commands.', 'warning'))
  const shell = new Shell(key)
  try {
    for (const block of deleteLast(blocksIn(texts, 'sh').filter(isCurl))) {
      const [status = '', ...rest] = (await shell.run(`${withKey(block.code, key)} -sS -w '\\n%{http_code}'`)).split('\n').toReversed()
      expect([block.path, block.code, Number(status)], rest.join('\n')).toEqual([block.path, block.code, getStatus(block)])
    }
    const [{ code } = { code: '' }] = blocksIn(texts, 'sh').filter((block) => block.path === 'README.md' && block.code.includes('/mcp'))
    const program = 'const { result } = JSON.parse(require("node:fs").readFileSync(0, "utf8")); console.log(result.structuredContent.data.length)'
    expect(await shell.run(`${code} | '${process.execPath}' -e '${program}'`)).toBe('3\n')
  } finally {
    shell.close()
  }
}, 60_000)

test('the docs contain no curl commands outside the blocks tested above', () => {
  for (const [path, text] of texts) {
    const others = getTokens(text).filter((token) => ['code', 'codespan', 'html'].includes(token.type) && /\bcurl /.test(token.raw))
    const seen = getBlocks(new Map([[path, text]])).filter((block) => (block.language === 'sh' && isCurl(block)) || printedIn(block).length > 0)
    expect([path, others.length]).toEqual([path, seen.length])
  }
  const languages = new Set(getBlocks(texts).map(({ language }) => language))
  expect([...languages].toSorted()).toEqual(['', 'go', 'http', 'js', 'json', 'php', 'python', 'ruby', 'sh', 'ts'])
  const shell = blocksIn(texts, 'sh').filter((block) => !isCurl(block))
  // tests/client/command-line.test.ts runs the commands that begin with `npx -p savings-rates-client savings-rates`.
  for (const { code } of shell) expect(code).toMatch(/^(?:export SVC_API_KEY=|npm run |npx newman run |npx -p savings-rates-client savings-rates )/)
})

test('every curl command on a page is either in its Markdown text or tested here', async () => {
  const known = new Set(blocksIn(texts, 'sh').map(({ code }) => code))
  const [product] = (await fixture.get('/rates?limit=1', key)).body.data
  // Pages without a Markdown version, and the number of commands that each shows.
  const others = new Map([
    ['/', 2],
    [`/products/${product.sourceKey}`, 1],
    [`/providers/${product.providerSlug}`, 1],
  ])
  for (const path of [...siteDocuments.map((document) => document.path as string), ...others.keys()]) {
    const html = await (await fetch(fixture.service.origin + path)).text()
    const lines = codeOnPage(webhook.withOwnIds(html)).filter((code) => code.includes('curl '))
    const own = lines.filter((code) => !known.has(code))
    const expected = others.get(path)
    if (expected === undefined) expect([path, own]).toEqual([path, []])
    else expect([path, lines.length]).toEqual([path, expected])
    for (const code of own) await expectAnswer(code, path, 200)
  }
}, 60_000)

test("rejects curl options and variables that the tests don't support", () => {
  expect(() => readCurl('curl -k "http://localhost"', {})).toThrow('option -k')
  expect(() => readCurl('curl "http://localhost/$OTHER"', {})).toThrow('$OTHER')
  expect(() => readCurl('wget "http://localhost"', {})).toThrow('Not a curl command')
  expect(readCurl(`curl -i "http://localhost/a?b=c&d=e" \\\n  -H "X-A: b $NAME" -d '{"e":"$NAME"}'`, { NAME: 'n' })).toMatchObject({
    url: 'http://localhost/a?b=c&d=e',
    method: 'POST',
    headers: { 'x-a': 'b n' },
    body: '{"e":"$NAME"}',
  })
})

test('every TypeScript program runs to completion', () => {
  const blocks = deleteLast(blocksIn(texts, 'ts'))
  expect(blocks.length).toBeGreaterThan(30)
  const [curl, script] = firstCallSnippets(fixture.service.api, key)
  expect(withKey(curl?.code ?? '', key)).toContain(`Bearer ${key}`)
  const written = runPrograms('ts', [...blocks.map(({ code }) => code), script?.code ?? ''], key)
  expect(written).toMatch(/^\d\.\d\d .+ Saver/m)
  expect(written).toContain('0 credits, ')
}, 120_000)

test('every Python program runs to completion, and the URL that it calls works', async ({ annotate }) => {
  const blocks = deleteLast(blocksIn(texts, 'python'))
  const programs = blocks.filter(({ code }) => code.includes('urllib'))
  expect(programs.length).toBeGreaterThan(30)
  // The only block that isn't a complete program is the signature check, which does nothing until it is called.
  expect(blocks.filter((block) => !programs.includes(block)).map(({ path }) => path)).toEqual(['/docs/webhooks'])
  if (isInstalled('python3')) {
    const codes = blocks.map(({ code }) => code)
    const written = runPrograms('python', codes, key)
    expect(written).toMatch(/^\d\.\d\d .+ Saver/m)
    expect(written.match(/^0 credits, /gm)?.length).toBeGreaterThan(30)
    expect(() => runPrograms('python', [...codes.slice(0, 1), 'print(nothing)'], key)).toThrow("name 'nothing' is not defined")
  } else await annotate('python3 is not installed: only the URLs of the programs are checked.', 'warning')
  await webhook.restore()
  for (const { path, code } of programs.filter((block) => !isAction(block))) {
    const url = /"(http[^"]+)"/.exec(code)?.[1]?.replace(/\?$/, '') ?? ''
    const { status } = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    expect([path, url, status]).toEqual([path, url, 200])
  }
})

const runners = {
  php: (programs: readonly string[]) => runPrograms('php', programs, key),
  go: (programs: readonly string[]) => programs.map((code) => runGoProgram(code, key)).join(''),
  ruby: (programs: readonly string[]) => runPrograms('ruby', programs, key),
} as const

test.each(['php', 'go', 'ruby'] as const)(
  'every %s example calls a URL that works; one of each kind and all that make changes run to completion',
  async (language) => {
    const all = deleteLast(blocksIn(texts, language).filter(({ path }) => path !== '/docs/webhooks'))
    const [programs, actions] = [all.filter((block) => !isAction(block)), all.filter(isAction)]
    expect(programs.length).toBeGreaterThan(30)
    const kinds = new Map<string, string>()
    for (const { path, code } of programs) {
      const url = /["'](http[^"']+)["']/.exec(code)?.[1] ?? ''
      const { status } = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
      expect([path, url, status]).toEqual([path, url, 200])
      kinds.set(code.replace(url, ''), code)
    }
    // Apart from their URLs, there are only two different programs: one for lists and one for single objects.
    expect(kinds.size).toBe(2)
    expect(actions).toHaveLength(actionPages.size)
    if (!isInstalled(language)) return
    expect(runners[language]([...kinds.values()]).match(/^0 credits,? /gm)).toHaveLength(2)
    expect(runners[language](actions.map(({ code }) => code)).match(/\bwhe_/g)?.length).toBeGreaterThan(5)
  },
  120_000,
)

test('every sample message matches the OpenAPI document, and every MCP configuration connects', async () => {
  const { body: document } = await fixture.raw('GET', '/api/developer/openapi.json')
  const others = checkMessages(
    document,
    blocksIn(texts, 'json').filter(({ path }) => path !== 'README.md'),
  )
  const [answer, ...settings] = others.map(({ path, code }) => [path, JSON.parse(code)] as const)
  expect(answer?.[0]).toBe('/docs')
  const { body } = await fixture.get('/rates?type=easy-access&limit=2&fields=provider,accountName,rate', key)
  expect(answer?.[1].data).toEqual(body.data)
  expect(Object.keys(answer?.[1].meta)).toEqual(Object.keys(body.meta))
  expect(settings.map(([path]) => path)).toEqual(['/docs', '/docs/tools', '/docs/tools'])
  for (const [, { mcpServers, servers }] of settings) {
    const { url, headers } = (mcpServers ?? servers)['savings-rates']
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const sent = { ...headers, Authorization: headers.Authorization.replace(/\$(?:SVC_API_KEY|\{input:svc-key\})/, key), 'Content-Type': 'application/json' }
    const listed = await fetch(url, { method: 'POST', headers: sent, body: list })
    expect(((await listed.json()) as { result: { tools: object[] } }).result.tools.length).toBeGreaterThan(30)
  }
})

test('the headers in the limits guide match a real response', async () => {
  const [{ code } = { code: '' }] = blocksIn(texts, 'http').filter(({ path }) => path === '/docs/limits')
  const [, ...lines] = code.split('\n')
  const { headers } = await fixture.get('/ping', (await fixture.live({ plan: 'hobby' })).key)
  const anyTime = (text: string | null) => text?.replace(/t=\d+/g, 't=…')
  for (const [name = '', value = ''] of lines.map((line) => line.split(': '))) {
    if (name === 'X-RateLimit-Reset') expect(headers.get(name)).toMatch(/^\d+$/)
    else expect([name, anyTime(headers.get(name))]).toEqual([name, anyTime(value)])
  }
  expect(lines.length).toBe(5)
})
