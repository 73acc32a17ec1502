import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/service-process.ts'
import { certificateFor } from '../webhooks/support/certificate.ts'

const deploy = join(import.meta.dirname, '../../deploy')

let folder = ''
let port = 0
let gateway: Server
let nginx: ChildProcess

/** Starts a gateway that returns the headers it received, and nginx with the shipped files in front of it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-tls-'))
  port = await freePort()
  const gatewayPort = await freePort()
  gateway = createServer((request, response) => response.end(JSON.stringify(request.headers)))
  await new Promise<void>((resolve) => gateway.listen(gatewayPort, '127.0.0.1', resolve))
  const { key, cert } = certificateFor('rates.example.test')
  await writeFile(join(folder, 'fullchain.pem'), cert)
  await writeFile(join(folder, 'privkey.pem'), key, { mode: 0o600 })
  const [http, tls] = await Promise.all(['nginx.conf', 'nginx-tls.conf'].map((name) => readFile(join(deploy, name), 'utf8')))
  expect(http).toMatch(/^ +listen 8080;$/m)
  const config = http?.replace('listen 8080;', 'include nginx-tls.conf;').replaceAll(/\b300[12]\b/g, String(gatewayPort)) ?? ''
  await writeFile(join(folder, 'nginx.conf'), config)
  await writeFile(join(folder, 'nginx-tls.conf'), tls?.replace('443 ssl', `127.0.0.1:${port} ssl`).replaceAll('/etc/savings-rates-data-api/tls', folder) ?? '')
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', `daemon off; pid ${folder}/nginx.pid;`]
  nginx = spawn('nginx', args, { env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  nginx.stderr?.on('data', (part: Buffer) => {
    output += part.toString()
  })
  nginx.once('error', (error) => {
    output += `${error.message}: apt-get install nginx`
  })
  const isReady = () =>
    handshake().then(
      () => true,
      () => false,
    )
  for (const deadline = performance.now() + 10_000; !(await isReady()); await sleep(50)) if (performance.now() > deadline) throw new Error(`nginx: ${output}`)
})

afterAll(async () => {
  nginx.kill('SIGTERM')
  gateway.closeAllConnections()
  gateway.close()
  await rm(folder, { recursive: true, force: true })
})

function open(options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'rates.example.test', rejectUnauthorized: false, ...options })
    socket.once('secureConnect', () => resolve(socket))
    socket.once('error', reject)
    socket.setTimeout(5_000, () => socket.destroy(new Error('nginx did not respond within 5 seconds.')))
  })
}

async function handshake(options: ConnectionOptions = {}): Promise<{ protocol: string | null; cipher: string }> {
  const socket = await open(options)
  const agreed = { protocol: socket.getProtocol(), cipher: socket.getCipher().name }
  socket.destroy()
  return agreed
}

test('prefers TLS 1.3, and accepts TLS 1.2 with forward secrecy', async () => {
  expect((await handshake()).protocol).toBe('TLSv1.3')
  expect(await handshake({ maxVersion: 'TLSv1.2' })).toEqual({ protocol: 'TLSv1.2', cipher: expect.stringMatching(/^ECDHE-.*(?:GCM|CHACHA20)/) })
})

test.each(['TLSv1', 'TLSv1.1'] as const)('rejects %s', async (version) => {
  await expect(handshake({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' })).rejects.toThrow(/alert protocol version/i)
})

test.each(['AES128-SHA', 'AES256-GCM-SHA384', 'ECDHE-RSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA'])('rejects %s', async (cipher) => {
  await expect(handshake({ maxVersion: 'TLSv1.2', ciphers: `${cipher}:@SECLEVEL=0` })).rejects.toThrow(/handshake failure/i)
})

test('rejects plain HTTP on the TLS port', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/ping`, { headers: { authorization: 'Bearer svc_test_any' }, redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
})

test('sends the gateway the real scheme and client address, ignoring forged headers', async () => {
  const socket = await open({})
  const text = await new Promise<string>((resolve, reject) => {
    let received = ''
    socket.on('data', (part) => {
      received += part.toString()
    })
    socket.once('end', () => resolve(received))
    socket.once('error', reject)
    socket.write('GET /v1/ping HTTP/1.1\r\nHost: rates.example.test\r\nX-Forwarded-Proto: http\r\nX-Forwarded-For: 203.0.113.7\r\nConnection: close\r\n\r\n')
  })
  expect(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))).toMatchObject({
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.7, 127.0.0.1',
    host: 'rates.example.test',
  })
})
