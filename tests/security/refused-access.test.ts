import { expect, test } from 'vitest'
import { portalFixture } from '../portal/support/portal-for-file.ts'

const portal = portalFixture()

type Line = {
  readonly level?: number
  readonly time?: string
  readonly event?: string
  readonly account?: string
  readonly procedure?: string
  readonly code?: string
  readonly network?: string
}

const refusals = (account: string): Line[] =>
  portal.service
    .log()
    .split('\n')
    .filter((line) => line.includes('"portal.refuse"') && line.includes(account))
    .map((line) => JSON.parse(line) as Line)

test('logs a rejected portal call with account, network, procedure and code', async () => {
  const [owner, other] = [await portal.member(), await portal.member()]
  await owner.visitor.call('keys.create', 'mutation', { mode: 'test', name: 'Mine', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })
  const [key] = await portal.sql<{ public_id: string }>('SELECT public_id FROM api_key WHERE account_id = $1', [owner.id])
  const answer = await other.visitor.call('keys.revoke', 'mutation', { id: key?.public_id, name: 'Mine' })
  expect(answer.status).toBe(404)
  await expect
    .poll(() => refusals(other.publicId))
    .toMatchObject([{ procedure: 'keys.revoke', code: 'NOT_FOUND', network: expect.stringMatching(/^(?:127\.0\.0\.1|::1)/) }])
})

test('logs the level and the time in UTC', async () => {
  const { visitor, publicId } = await portal.member()
  const from = Date.now()
  await visitor.call('keys.revoke', 'mutation', { id: 'key_nothing', name: '' })
  await expect.poll(() => refusals(publicId)).toHaveLength(1)
  const [line] = refusals(publicId)
  expect(line).toMatchObject({ level: 30, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) })
  expect(Math.abs(Date.parse(line?.time ?? '') - from)).toBeLessThan(60_000)
})

test('does not log a successful call as rejected', async () => {
  const { visitor, publicId } = await portal.member()
  expect((await visitor.call('profile.read', 'query')).status).toBe(200)
  expect(refusals(publicId)).toEqual([])
})

test('does not let client input start a log line', async () => {
  const { visitor, publicId } = await portal.member()
  const forged = `x\n{"level":50,"msg":"forged ${publicId}"}\r\n`
  await visitor.send(`/api/trpc/${encodeURIComponent(forged)}`, { headers: { 'user-agent': 'x', 'sec-fetch-site': 'same-origin' } })
  await visitor.call('keys.revoke', 'mutation', { id: forged, name: forged })
  await visitor.send(`/v1/${encodeURIComponent(forged)}?x=${encodeURIComponent(forged)}`)
  const lines = portal.service.log().split('\n')
  expect(lines.filter((line) => /^\{"level":50,"msg":"forged/.test(line))).toEqual([])
})
