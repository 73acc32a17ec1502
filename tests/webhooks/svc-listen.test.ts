/** Tests `svc listen` as operators run it: as a separate process, with a local server. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyWebhook } from '#client/webhooks.ts'
import { environment } from '../backup/support/svc.ts'
import { verifies } from '../requirements/verifies.ts'
import { svcProgram } from '../support/programs.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { storeDeliveries } from '../v1/support/stored-deliveries.ts'
import { webhookCalls } from '../v1/support/webhook-calls.ts'

const fixture = new Fixture('lean')
const { manager, create } = webhookCalls(fixture)

beforeAll(() => fixture.open())
afterAll(() => fixture.close())

verifies(
  'webhooks/svc-listen',
  async () => {
    const bodies: { body: string; signature: string }[] = []
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      bodies.push({ body: Buffer.concat(chunks).toString(), signature: String(request.headers['x-svc-signature']) })
      response.writeHead(bodies.length === 1 ? 204 : 500).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    await storeDeliveries(fixture, caller, id, Date.now() - 7_200_000, [{}, {}])
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const args = ['listen', '--account', caller.account.email, '--forward', url, '--last', '1', '--json']
    const child = spawn(process.execPath, [svcProgram, ...args], { env: environment({ url: fixture.databaseUrl }), timeout: 60_000 })
    let [out, err] = ['', '']
    child.stdout.on('data', (text) => {
      out += text
    })
    child.stderr.on('data', (text) => {
      err += text
    })
    const ended = new Promise((resolve) => child.on('close', resolve))
    await expect.poll(() => bodies.length, { timeout: 30_000 }).toBe(1)
    await storeDeliveries(fixture, caller, id, Date.now(), [{ data: { n: 5 } }, { attempts: 0 }])
    await expect.poll(() => bodies.map(({ body }) => JSON.parse(body).data.n), { timeout: 30_000 }).toEqual([1, 5])
    await expect.poll(() => err, { timeout: 10_000 }).toMatch(/ {2}500\n$/)
    const [, secret = ''] = /^Signing secret of this session: (whsec_\w+)$/m.exec(err) ?? []
    for (const { body, signature } of bodies) expect(await verifyWebhook({ body, headers: signature, secret })).toMatchObject({ type: 'rate.changed' })
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(JSON.parse(out)).toEqual({ forwarded: 1, failed: 1 })
    expect(await fixture.balance(caller.account)).toBe(100)
    server.close()
  },
  90_000,
)

test.each([
  [['--webhook', 'whe_unknown'], 'Endpoint not found.'],
  [['--forward', 'http://ada:hidden@127.0.0.1:9/hook'], 'must not contain a user name or password.'],
])(
  'svc listen exits immediately with %j',
  async (options, message) => {
    const caller = await manager()
    const args = ['listen', '--account', caller.account.email, '--forward', 'http://127.0.0.1:9/hook', ...options]
    const child = spawn(process.execPath, [svcProgram, ...args], { env: environment({ url: fixture.databaseUrl }), timeout: 50_000 })
    let err = ''
    child.stderr.on('data', (text) => {
      err += text
    })
    expect(await new Promise((resolve) => child.on('close', resolve))).toBeGreaterThan(0)
    expect(err).toContain(message)
    expect(err).not.toContain('hidden')
  },
  60_000,
)
