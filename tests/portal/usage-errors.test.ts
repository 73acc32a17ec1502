import { expect, test } from 'vitest'
import { lastDays } from '#components/portal/usage-view.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData } from './support/visitor.ts'

const fixture = portalFixture()

const pollOptions = { timeout: 15_000, interval: 50 }

type Group = { code: string | null; message: string; status: number; key: { name: string; mode: string }; calls: number }

test("groups failed calls by key and error code, with advice, within the page's range and filters", async () => {
  const [{ visitor }, other] = [await fixture.member({ credits: 20 }), await fixture.member()]
  const createKey = async (name: string, mode: string): Promise<{ id: string; key: string }> =>
    getData(await visitor.call('keys.create', 'mutation', { mode, name, scopes: ['rates:read'], addresses: '', cap: '', expires: '' }))
  const [live, trial] = [await createKey('Live', 'live'), await createKey('Trial', 'test')]
  const call = (key: string, target: string) => fetch(`${fixture.origin}/v1${target}`, { headers: { authorization: `Bearer ${key}` } })
  for (const target of ['/rates?limit=1', '/rates?tpye=notice', '/rates?limit=0', '/rates/no-such-product']) await call(live.key, target)
  await call(trial.key, '/rates?limit=0')
  const errors = async (input: object = {}, reader = visitor): Promise<unknown[]> => {
    const { groups } = getData(await reader.call('usage.errors', 'query', { ...lastDays(7, new Date()), ...input }))
    return groups.map(({ code, status, key, calls }: Group) => [code, status, key.name, calls])
  }
  await expect.poll(errors, pollOptions).toHaveLength(3)
  expect(await errors()).toEqual([
    ['invalid_request', 400, 'Live', 2],
    ['invalid_request', 400, 'Trial', 1],
    ['not_found', 404, 'Live', 1],
  ])
  expect(await errors({ key: trial.id })).toEqual([['invalid_request', 400, 'Trial', 1]])
  expect(await errors({ status: 404 })).toEqual([['not_found', 404, 'Live', 1]])
  expect(await errors({ status: 200 })).toEqual([])
  expect(await errors(lastDays(7, new Date(Date.now() - 10 * 86_400_000)))).toEqual([])
  expect(await errors({}, other.visitor)).toEqual([])
  const { groups, isComplete } = getData(await visitor.call('usage.errors', 'query', lastDays(7, new Date())))
  // The message of the newest call.
  expect([groups[0].message, isComplete]).toEqual([expect.stringContaining('"limit"'), true])
  // General advice if the message is no longer stored.
  await fixture.sql('DELETE FROM request_detail')
  const [older] = getData(await visitor.call('usage.errors', 'query', lastDays(7, new Date()))).groups
  expect(older.message).toBe("The request is not valid. Check it against this endpoint's documentation.")
})
