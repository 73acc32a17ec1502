import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResolver, refusedAddress } from '#server/webhooks/reach.ts'
import { openAgents, send } from '#server/webhooks/send.ts'
import { NameServer } from '../webhooks/support/name-server.ts'

const names = new NameServer()
let servers: string[] = []

beforeAll(async () => {
  servers = [await names.open()]
})
afterAll(() => names.close())

test('never connects to 127.0.0.1 if a host name resolves to a public address first and to 127.0.0.1 later', async () => {
  names.zone.set('turning.hooks.co', [['93.184.216.34'], ['127.0.0.1']])
  const connected: unknown[] = []
  const agents = openAgents()
  // Records the hosts to which the sender would connect, without opening connections.
  agents.http.createConnection = ({ host }: { host?: string | undefined }) => {
    connected.push(host)
    return new Socket().destroy(new Error('recorded'))
  }
  const reach = { resolve: createResolver(servers), refuses: refusedAddress }
  const faults: (string | null)[] = []
  for (const attempt of [1, 2, 3]) {
    faults.push((await send({ url: 'http://turning.hooks.co/hook', headers: {}, body: '{}', attempt }, { reach, agents })).fault)
  }
  agents.close()
  expect(connected).toEqual(['93.184.216.34'])
  expect(faults).toEqual(['recorded', expect.stringContaining('Nothing was sent.'), expect.stringContaining('Nothing was sent.')])
})
