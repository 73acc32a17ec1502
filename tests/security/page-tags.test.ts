/** Tests that ETags reveal nothing about data that the caller has not paid for. */
import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/observability/log.ts'
import { type Service, startService } from '#server/runtime/service.ts'
import { verifies } from '../requirements/verifies.ts'
import { makeAccount, makeKey } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { serviceSettings } from '../support/service-settings.ts'

const database = ownDatabase({ max: 2 })
let services: Service[] = []

beforeAll(async () => {
  const secrets = [serviceSettings.secret, serviceSettings.secret, 'another secret of the tests, as long as that']
  const start = (secret: string) => startService({ ...serviceSettings, secret, databaseUrl: database.url }, database.pool, createLog('silent'), async () => [])
  services = await Promise.all(secrets.map(start))
})

afterAll(async () => {
  for (const service of services) await service.close()
})

async function ask(path: string, key: string, { at = 0, tag = '' } = {}) {
  const service = services[at]
  if (!service) throw new Error('No such service.')
  const route = service.router.resolve('GET', path)
  const headers = { authorization: `Bearer ${key}`, ...(tag === '' ? {} : { 'if-none-match': tag }) }
  const answer = await service.pipeline.answer({ route, headers, address: '127.0.0.1' })
  const of = (name: string) => answer.headers[answer.headers.indexOf(name) + 1] ?? ''
  return { status: answer.status, body: answer.body, tag: of('ETag'), charged: Number(of('X-SVC-Credits-Charged')) }
}

const live = async () => (await makeKey(database.pool, await makeAccount(database.pool))).key

verifies('charge/never-for-304', 'does not reveal the ETag of an unpaid page for `If-None-Match: *`', async () => {
  const key = await live()
  for (const path of ['/rates?fields=sourceKey,rate&limit=1', '/reference/fscs']) {
    const given = await ask(path, key, { tag: '*' })
    expect([path, given.status, given.charged]).toEqual([path, 200, 1])
    expect((await ask(path, key, { tag: given.tag })).status).toBe(304)
  }
  expect((await ask('/me', key, { tag: '*' })).status).toBe(304)
})

test('a client cannot compute an ETag by guessing the data', async () => {
  const key = await live()
  const paid = await ask('/rates?fields=sourceKey,rate&limit=1', key)
  const data = paid.body.slice(1, paid.body.indexOf(',"meta"'))
  expect(data).toMatch(/^"data":\[\{"sourceKey":"[^"]+","rate":"[\d.]+"\}\]$/)
  expect(paid.tag).not.toBe(`W/"${hash('sha1', `rates.list 2 1 true ${data}`, 'base64url').slice(0, 22)}"`)
  const [sibling, visitor] = [
    await ask('/rates?fields=sourceKey,rate&limit=1', key, { at: 1 }),
    await ask('/rates?fields=sourceKey,rate&limit=1', key, { at: 2 }),
  ]
  expect(sibling.tag).toBe(paid.tag)
  expect(visitor.body).toContain(data)
  expect(visitor.tag).not.toBe(paid.tag)
})

test('returns a different ETag for the same data if the query differs', async () => {
  const key = await live()
  const [plain, filtered] = [await ask('/rates?fields=sourceKey&limit=1', key), await ask('/rates?fields=sourceKey&limit=1&amount=5000', key)]
  const getData = ({ body }: { body: string }) => body.slice(0, body.indexOf(',"meta"'))
  expect([filtered.status, getData(filtered)]).toEqual([200, getData(plain)])
  expect(filtered.tag).not.toBe(plain.tag)
  expect((await ask('/rates?limit=1&amount=5000&fields=sourceKey', key)).tag).toBe(filtered.tag)
})
