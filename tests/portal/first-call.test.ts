import { expect, test } from 'vitest'
import { callsAt, createKey } from './support/key-calls.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData } from './support/visitor.ts'

const fixture = portalFixture()

const { rates } = callsAt(fixture)

test("returns the account's last request, even if it failed", async () => {
  const { visitor } = await fixture.member()
  expect(getData(await visitor.call('account.lastRequest', 'query'))).toBeNull()
  const { key } = getData(await createKey(visitor, { mode: 'test' }))
  await rates(key)
  expect(getData(await visitor.call('account.lastRequest', 'query'))).toMatchObject({
    method: 'GET',
    path: '/rates',
    status: 200,
    credits: 0,
    mode: 'test',
    error: null,
  })
  await fetch(`${fixture.origin}/v1/rates?tpye=1`, { headers: { authorization: `Bearer ${key}` } })
  expect(getData(await visitor.call('account.lastRequest', 'query'))).toMatchObject({ status: 400, credits: 0, error: 'invalid_request' })
})

test('the welcome page keeps showing the first successful call after later calls', async () => {
  const { visitor } = await fixture.member()
  const { key } = getData(await createKey(visitor, { mode: 'test' }))
  const first = async () => getData(await visitor.call('account.firstCall', 'query'))
  const refused = () => fetch(`${fixture.origin}/v1/rates?tpye=1`, { headers: { authorization: `Bearer ${key}` } })
  expect(await first()).toBeNull()
  expect((await visitor.open('/portal/welcome')).text).toContain('Waiting for your first call…')
  await refused()
  expect(await first()).toMatchObject({ status: 400, error: 'invalid_request' })
  await rates(key)
  const answered = await first()
  expect(answered).toMatchObject({ method: 'GET', path: '/rates', status: 200, credits: 0, mode: 'test', error: null })
  await rates(key)
  await refused()
  expect(await first()).toEqual(answered)
  const { text } = await visitor.open('/portal/welcome')
  expect(text).toContain('First call received. GET /rates, 200,')
  expect(text).not.toContain('Waiting for your first call…')
})
