import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createResolver } from '#server/webhooks/reach.ts'
import { NameServer } from './support/name-server.ts'

const [old, next] = [new NameServer(), new NameServer()]
const addresses: string[] = []
beforeAll(async () => void addresses.push(await old.open(), await next.open()))
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await old.close()
  await next.close()
})

test('uses new name servers within a minute of a configuration change', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  old.zone.set('moved.hooks.co', [['93.184.216.34']])
  next.zone.set('moved.hooks.co', [['93.184.216.35']])
  const servers = addresses.slice(0, 1)
  const resolve = createResolver(servers)
  expect(await resolve('moved.hooks.co')).toEqual(['93.184.216.34'])
  servers.splice(0, 1, ...addresses.slice(1))
  vi.advanceTimersByTime(59_000)
  expect(await resolve('moved.hooks.co')).toEqual(['93.184.216.34'])
  vi.advanceTimersByTime(1_000)
  expect(await resolve('moved.hooks.co')).toEqual(['93.184.216.35'])
})
