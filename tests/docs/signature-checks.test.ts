/** Checks the code of the webhooks guide that verifies signatures. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signatureAgeSeconds } from '#server/api/contract/webhooks.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { blocksIn, readTexts } from './support/docs-text.ts'
import { getModule } from './support/programs.ts'

const fixture = new Fixture('next')
let texts: Map<string, string>

beforeAll(async () => {
  await fixture.open()
  texts = await readTexts(fixture.service.origin)
})

afterAll(() => fixture.close())

type Check = (body: string, header: string | undefined, secret: string, now?: number) => boolean

test("the JavaScript signature check accepts the service's deliveries and nothing else", async () => {
  const [block] = blocksIn(texts, 'js').filter(({ path }) => path === '/docs/webhooks')
  const { isGenuine } = await getModule<{ isGenuine: Check }>(block?.code ?? '')
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
  for (const one of [undefined, ...bad]) expect(isGenuine(body, one, secret, now), one).toBe(false)
  // A missing secret must not be treated as an empty one, because anyone could sign with an empty secret.
  expect(() => isGenuine(body, header(now, sign(now, body, '')), undefined as unknown as string, now)).toThrow()
})

test('the signature check has the same age limit in all four languages', () => {
  const text = texts.get('/docs/webhooks') ?? ''
  for (const language of ['js', 'python', 'go', 'php']) {
    const [block] = blocksIn(new Map([['/docs/webhooks', text]]), language)
    expect(block?.code, language).toContain(String(signatureAgeSeconds))
    expect(block?.code, language).toMatch(/timingSafeEqual|compare_digest|hmac\.Equal|hash_equals/)
  }
})
