import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signatureAgeSeconds } from '../../server/contract/events.ts'
import { siteDocuments } from '../../server/publish/site/site-documents.ts'
import { Stage } from '../v1/support/stage.ts'
import { readCurl, runCurl } from './support/curl.ts'
import { blocksIn, type CodeBlock, readTexts } from './support/docs-text.ts'

/** Whatever stands in the documentation to be copied is copied here, and has to work. */
const stage = new Stage('next')
const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
let texts: Map<string, string>
let key = ''

beforeAll(async () => {
  await stage.open()
  const made = await stage.test()
  key = made.key
  // All of the documentation in one minute is more than a test key may call.
  await stage.sql('UPDATE key_meter SET own_minute_limit = 5000 WHERE key_id = (SELECT id FROM api_key WHERE public_id = $1)', [made.keyId])
  texts = await readTexts(stage.service.origin)
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await stage.close()
})

const statusOf = ({ words }: CodeBlock) => Number(words.find((word) => word.startsWith('status='))?.slice('status='.length) ?? 200)

test('every line of curl does what its page says', async () => {
  const tags = new Map<string, string>()
  const blocks = blocksIn(texts, 'sh').filter(({ code }) => !code.startsWith('export '))
  for (const block of blocks) {
    const response = await runCurl(readCurl(block.code, { SVC_API_KEY: key }), tags)
    const body = await response.text()
    expect([block.path, block.code, response.status], body).toEqual([block.path, block.code, statusOf(block)])
    if (block.code.includes('/mcp')) expect(JSON.parse(body).result.isError ?? false, body).toBe(false)
  }
  const references = siteDocuments.filter(({ path }) => path.startsWith('/reference/'))
  // Each endpoint that answers has one; the guides bring the rest.
  expect(blocks.length).toBeGreaterThan(references.length + 5)
})

test('a line of curl that the tests do not understand fails them', () => {
  expect(() => readCurl('curl -k "http://localhost"', {})).toThrow('option -k')
  expect(() => readCurl('curl "http://localhost/$OTHER"', {})).toThrow('$OTHER')
  expect(() => readCurl('wget "http://localhost"', {})).toThrow('Not a line of curl')
  expect(readCurl(`curl -i "http://localhost/a?b=c&d=e" \\\n  -H "X-A: b $NAME" -d '{"e":"$NAME"}'`, { NAME: 'n' })).toMatchObject({
    url: 'http://localhost/a?b=c&d=e',
    method: 'POST',
    headers: { 'x-a': 'b n' },
    body: '{"e":"$NAME"}',
  })
})

/** Runs programs one after another in a process of their own, and gives what each wrote. */
function runPrograms(blocks: readonly CodeBlock[]): string {
  const files = blocks.map(({ code }, at) => {
    const file = join(folder, `program-${at}.mts`)
    writeFileSync(file, code)
    return file
  })
  const main = join(folder, 'main.mts')
  writeFileSync(main, files.map((file) => `await import(${JSON.stringify(file)})\n`).join(''))
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], { env: { ...process.env, SVC_API_KEY: key }, encoding: 'utf8', timeout: 100_000 })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

test('every program in TypeScript runs to its end', () => {
  const blocks = blocksIn(texts, 'ts')
  expect(blocks.length).toBeGreaterThan(30)
  const written = runPrograms(blocks)
  expect(written).toMatch(/^\d\.\d\d .+ Saver/m)
  expect(written).toContain('0 credits, ')
}, 120_000)

test('programs in other languages call addresses that answer', async () => {
  const blocks = blocksIn(texts, 'python').filter(({ code }) => code.includes('urllib'))
  expect(blocks.length).toBeGreaterThan(30)
  for (const { path, code } of blocks) {
    const url = /"(http[^"]+)"/.exec(code)?.[1]?.replace(/\?$/, '') ?? ''
    const { status } = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    expect([path, url, status]).toEqual([path, url, 200])
  }
})

type Check = (body: string, header: string, secret: string, now?: number) => boolean

test('the check of a signature in JavaScript takes what is ours and nothing else', async () => {
  const [block] = blocksIn(texts, 'js').filter(({ path }) => path === '/docs/webhooks')
  const file = join(folder, 'signature.mjs')
  writeFileSync(file, block?.code ?? '')
  const { isGenuine } = (await import(file)) as { isGenuine: Check }
  const [body, secret, now] = ['{"id":"evt_1","data":{"rate":"4.50 £"}}', 'whsec_test', 1_800_000_000]
  const sign = (time: number, text = body, by = secret) => createHmac('sha256', by).update(`${time}.${text}`).digest('hex')
  const header = (time: number, ...signs: string[]) => [`t=${time}`, ...signs.map((hex) => `v1=${hex}`)].join(',')
  expect(isGenuine(body, header(now, sign(now)), secret, now)).toBe(true)
  expect(isGenuine(body, header(now, sign(now, body, 'older secret'), sign(now)), secret, now), 'one of two fits').toBe(true)
  for (const age of [signatureAgeSeconds, -signatureAgeSeconds]) expect(isGenuine(body, header(now - age, sign(now - age)), secret, now)).toBe(true)
  for (const age of [signatureAgeSeconds + 1, -signatureAgeSeconds - 1]) {
    expect(isGenuine(body, header(now - age, sign(now - age)), secret, now), `${age} seconds old`).toBe(false)
  }
  for (const wrong of [`${body} `, body.replace('4.50', '4.51')]) expect(isGenuine(wrong, header(now, sign(now)), secret, now)).toBe(false)
  const bad = ['', 't=', 'v1=00', `t=${now}`, `t=${now},v1=`, `t=${now},v1=zz`, `t=x,v1=${sign(now)}`, `t=${now},v0=${sign(now)}`, header(now + 1, sign(now))]
  for (const one of bad) expect(isGenuine(body, one, secret, now), one).toBe(false)
})

test('the check of a signature says the same in all four languages', () => {
  const text = texts.get('/docs/webhooks') ?? ''
  for (const language of ['js', 'python', 'go', 'php']) {
    const [block] = blocksIn(new Map([['/docs/webhooks', text]]), language)
    expect(block?.code, language).toContain(String(signatureAgeSeconds))
    expect(block?.code, language).toMatch(/timingSafeEqual|compare_digest|hmac\.Equal|hash_equals/)
  }
})
