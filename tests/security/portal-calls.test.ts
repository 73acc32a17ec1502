import { expect, test } from 'vitest'
import { requestText, send } from '../hostile/support/wire.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getError } from '../portal/support/visitor.ts'
import { verifies } from '../requirements/verifies.ts'

const fixture = portalFixture()
const origin = () => fixture.service.origin

const sameOrigin = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
const nested = (depth: number) => `{"json":${'['.repeat(depth)}${']'.repeat(depth)}}`

const post = (path: string, headers: string[], body: string) =>
  requestText(`POST ${path}`, ['Sec-Fetch-Site: same-origin', ...headers, `Content-Length: ${body.length}`], body)

test('requires sign-in before it parses the input', async () => {
  for (const body of ['not JSON at all', nested(30_000), nested(5)]) {
    const answer = await fixture.visitor().send('/api/trpc/keys.create', { method: 'POST', body, headers: sameOrigin })
    expect([answer.status, getError({ body: await answer.json() }).data.code]).toEqual([401, 'UNAUTHORIZED'])
  }
})

verifies('portal/public-procedure-bodies', async () => {
  const call = async (names: string, body: string) => {
    const answer = await fixture.visitor().send(`/api/trpc/${names}`, { method: 'POST', body, headers: sameOrigin })
    return answer.status
  }
  const reset = '{"0":{"json":{"email":"nobody"}},"1":{"json":{"email":"nobody"}}}'
  expect(await call('passwordReset.request', '{"json":{"email":"nobody"}}')).toBe(400)
  expect(await call('passwordReset.request,passwordReset.request?batch=1', reset)).toBe(400)
  expect(await call('passwordReset.request', nested(40))).toBe(400)
  // If one procedure of a batch needs a session, the body is not read.
  expect(await call('passwordReset.request,profile.rename?batch=1', nested(40))).not.toBe(500)
  const long = `{"json":{"email":"${'x'.repeat(70_000)}"}}`
  const { answers } = await send(origin(), requestText('POST /api/trpc/passwordReset.request', ['Sec-Fetch-Site: same-origin', 'Content-Length: 70030'], long))
  expect(answers.map(({ status }) => status)).toEqual([413])
})

verifies('portal/form-before-scripts', async () => {
  const email = fixture.newEmail()
  const fields = { email, password: 'four green apples fell', licence: 'yes', licenceShown: 'v2026-09' }
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const form of [body, new URLSearchParams(fields)]) {
    const answer = await fixture.visitor().send('/api/trpc/signUp.create', { method: 'POST', body: form, headers: { 'sec-fetch-site': 'same-origin' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([415, 'text/html; charset=utf-8'])
    const text = await answer.text()
    expect(text).toContain('This form needs JavaScript')
    expect(text).not.toMatch(/stack|server\/|\{"/)
  }
  expect(await fixture.sql('SELECT FROM account WHERE email = $1', [email])).toEqual([])
})

test.each(['/api/trpc/keys.create', '/sign-in', '/sign-up', '/reset', '/api/auth/callback/credentials', '/portal/keys/new', '/admin/licences'])(
  'rejects a body over 64 KiB for %s before reading it',
  async (path) => {
    for (const headers of [[], ['Next-Action: 00'], ['Content-Type: multipart/form-data; boundary=x']]) {
      const { answers } = await send(origin(), requestText(`POST ${path}`, ['Sec-Fetch-Site: same-origin', ...headers, 'Content-Length: 65537'], 'x'))
      expect([path, answers.map(({ status }) => status)]).toEqual([path, [413]])
    }
  },
)

test('accepts longer bodies for admin forms if the request has a session cookie', async () => {
  const { answers } = await send(origin(), requestText('POST /admin/licences', ['Cookie: svc.session=x', 'Content-Length: 524289'], 'x'))
  expect(answers[0]?.status).toBe(413)
  const body = 'x'.repeat(100_000)
  const { answers: taken } = await send(origin(), post('/admin/licences', ['Cookie: svc.session=x'], body), { answers: 1 })
  expect(taken[0]?.status).not.toBe(413)
})

test('rejects deeply nested input without logging an error', async () => {
  const { visitor } = await fixture.member()
  const from = fixture.service.log().length
  const deep = await visitor.send('/api/trpc/keys.create', { method: 'POST', body: nested(30_000), headers: sameOrigin })
  expect(deep.status).toBe(400)
  const query = await visitor.send(`/api/trpc/keys.list?input=${nested(2_000)}`)
  expect(query.status).toBe(400)
  expect(fixture.service.log().slice(from)).not.toContain('"level":50')
})

test('rejects TRACE with 405 on pages and 401 on the API', async () => {
  for (const [path, status] of [
    ['/', 405],
    ['/sign-in', 405],
    ['/v1/ping', 401],
  ] as const) {
    const { answers } = await send(origin(), requestText(`TRACE ${path}`), { answers: 1 })
    expect([path, answers[0]?.status]).toEqual([path, status])
    if (status === 405) expect(answers[0]?.headers.get('allow')).toBe('GET, HEAD, POST')
  }
})
