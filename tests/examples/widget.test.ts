/** Runs the example program in examples/widget.ts, as a customer would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { keyChanged } from '../v1/support/operator.ts'

const fixture = new Fixture('lean')
const children: ChildProcess[] = []
let log = ''

beforeAll(() => fixture.open())
afterEach(() => {
  for (const child of children.splice(0)) child.kill()
})
afterAll(() => fixture.close())

/** Starts the program and returns its URL. */
async function start(key: string, freshSeconds: number): Promise<string> {
  const env = { ...process.env, SVC_API_URL: fixture.service.api, SVC_API_KEY: key, FRESH_SECONDS: String(freshSeconds), PORT: '0', no_proxy: '*' }
  const child = spawn(process.execPath, ['examples/widget.ts'], { env })
  children.push(child)
  child.stderr.on('data', (text) => {
    log += text
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return line.toString().trim()
}

verifies('clients/widget', async () => {
  const caller = await fixture.live({ credits: 100 })
  const url = await start(caller.key, 900)
  const responses = await Promise.all([...Array.from({ length: 10 }, () => fetch(`${url}/savings-rates?type=notice`)), fetch(url), fetch(`${url}/widget.js`)])
  const texts = await Promise.all(responses.map((response) => response.text()))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  expect(new Set(texts.slice(0, 10)).size).toBe(1)
  expect(texts.join() + JSON.stringify(responses.map(({ headers }) => [...headers]))).not.toContain(caller.key)
  const { rows, attribution } = JSON.parse(texts[0] ?? '') as { rows: object[]; attribution: string }
  expect(await fixture.balance(caller.account)).toBe(100 - rows.length)
  const { body } = await fixture.get('/rates?type=notice&limit=5&fields=provider,accountName,rate', caller.key)
  expect([rows, attribution]).toEqual([body.data, body.meta.attribution])

  const left = await fixture.balance(caller.account)
  for (const path of ['/savings-rates?type=all', '/savings-rates', '/savings-rates?type=notice,all', '/../widget.ts', '/v1/rates'])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 404])
  expect((await fetch(`${url}/savings-rates?type=notice`, { method: 'POST' })).status).toBe(405)
  expect(await fixture.balance(caller.account)).toBe(left)
})

test('the widget pays nothing for unchanged rates, and keeps the last rates while the API rejects calls', async () => {
  const caller = await fixture.live({ credits: 100 })
  const url = await start(caller.key, 0)
  const read = async () => {
    const response = await fetch(`${url}/savings-rates?type=notice`)
    return { status: response.status, text: await response.text() }
  }
  const first = await read()
  const left = await fixture.balance(caller.account)
  expect(await read()).toEqual(first)
  expect(await fixture.balance(caller.account)).toBe(left)
  await fixture.sql('UPDATE api_key SET revoked_at = now() WHERE public_id = $1', [caller.keyId])
  await fixture.sql("UPDATE key_meter m SET ends_at = 'epoch' FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1", [caller.keyId])
  await keyChanged(fixture, caller.keyId)
  expect(await read()).toEqual(first)
  expect(log).toContain('key_revoked')
  expect(log).not.toContain(caller.key)
})

test('the widget returns 503 if it has no rates', async () => {
  const url = await start('svc_live_none', 900)
  expect((await fetch(`${url}/savings-rates?type=notice`)).status).toBe(503)
})

/** Element of a page, with the methods that the widget's script uses. */
class Element {
  readonly name: string
  readonly dataset = { savingsRates: 'notice' }
  textContent = ''
  children: Element[] = []

  constructor(name: string) {
    this.name = name
  }

  append(...children: Element[]): void {
    this.children.push(...children)
  }

  replaceChildren(...children: Element[]): void {
    this.children = children
  }

  toText(): string {
    return this.textContent + this.children.map((child) => `<${child.name}>${child.toText()}`).join('')
  }
}

async function show(status: number, body: object): Promise<string> {
  const target = new Element('div')
  const context = createContext({
    URLSearchParams,
    console: { error: () => undefined },
    fetch: async () => new Response(JSON.stringify(body), { status }),
    document: { createElement: (name: string) => new Element(name), querySelectorAll: () => [target] },
  })
  runInContext(readFileSync('examples/widget/widget.js', 'utf8'), context)
  await expect.poll(() => target.toText()).not.toBe('')
  return target.toText()
}

test("the widget's script shows the rates and the attribution as text", async () => {
  const rows = [{ provider: '<b>Bank</b>', accountName: 'Saver', rate: '4.50' }]
  const shown = await show(200, { rows, attribution: 'Data: somewhere.', updatedAt: '2026-11-27T08:00:00.000Z' })
  const head = '<table><thead><tr><th>Provider<th>Account<th>AER<tbody><tr>'
  expect(shown).toBe(`${head}<td><b>Bank</b><td>Saver<td>4.50%<p>Data: somewhere. Rates as of 27 November 2026.`)
  expect(await show(503, {})).toBe('<p>The rates are not available at the moment.')
})
