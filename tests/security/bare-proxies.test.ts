/** Tests a service in development mode behind a proxy on the same machine that sends no forwarding headers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outboxLink } from '#server/self-service/outbox.ts'
import { ownDatabase } from '../support/own-database.ts'
import { freePort, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { emailAccess, emailLink, openCheckout, send } from './support/development-service.ts'

const database = ownDatabase({ max: 2 })

/** Sends a GET as nginx does by default: HTTP/1.0, the service's address as Host, and no header that identifies the client. Returns the status line. */
async function throughBareNginx(port: number, path: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.write(`GET ${path} HTTP/1.0\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`)
  return (await text(socket)).split('\r\n')[0] ?? ''
}

describe.each([
  ['one process', {}],
  ['several processes', { GATEWAY_PROCESSES: '2' }],
])('a service with %s', (_name, settings) => {
  let service: ServiceProcess
  let dataDir = ''
  let port = 0

  beforeAll(async () => {
    ;[dataDir, port] = [await mkdtemp(join(tmpdir(), 'svc-bare-proxy-')), await freePort()]
    const env = { NODE_ENV: '', HOST: '', PUBLIC_URL: '', ROLES: 'gateway,portal,worker', PORT: String(port), ...settings }
    service = await startProcess({ databaseUrl: database.url, mount: 'next', dataDir, env })
  }, 90_000)
  afterAll(async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('shows emails only to a browser that opened the link printed at start-up', async () => {
    const subject = `For the owner of ${port}`
    await database.pool.query("INSERT INTO email_outbox (recipient, subject, body_text, body_html) VALUES ('owner@example.test', $1, 'Text.', '')", [subject])
    const locked = await send(port, '/dev/mail', {})
    expect([locked.status, locked.text.includes('Open the link'), locked.text.includes(subject)]).toEqual([403, true, false])
    for (const path of ['/dev/mail/open', '/dev/mail/open?key=', `${emailLink}x`, outboxLink('', 'another secret of the tests, long enough')]) {
      const refused = await send(port, path, {})
      expect([refused.status, refused.cookie], path).toEqual([404, ''])
    }
    expect((await send(port, '/dev/mail', { cookie: 'svc.outbox=guessed' })).status).toBe(403)
    const access = await emailAccess(port)
    expect((await send(port, '/dev/mail', access)).text).toContain(subject)
    expect((await send(port, '/dev/mail', { ...access, 'x-forwarded-for': '203.0.113.7' })).status).toBe(404)
  })

  test('does not treat requests through nginx without proxy headers as local', async () => {
    const top = await openCheckout(database.pool)
    for (const path of ['/metrics', '/dev/mail', emailLink, `/simulated-checkout/${top}`])
      expect(await throughBareNginx(port, path), path).toMatch(/^HTTP\/1\.1 404 /)
  })

  test('does not treat requests through HAProxy without proxy headers as local', async () => {
    // A client behind a proxy can send any Host. The proxy's port differs from the service's.
    expect((await send(port, '/metrics', { host: 'localhost:8080' })).status).toBe(404)
    expect((await send(port, '/metrics', { host: 'localhost' })).status).toBe(404)
    expect((await send(port, '/dev/mail', { host: 'localhost' })).status).toBe(403)
  })
})
