/** Tests how commands exit after a failure, against a server with prepared responses. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { run } from '../../client/src/cli/run.ts'
import { verifies } from '../requirements/verifies.ts'

type Prepared = { readonly status: number; readonly body: object; readonly headers?: Readonly<Record<string, string>> } | 'lost'

let server: Server
let prepared: Prepared[] = []
let received: { readonly url: string; readonly key: string | undefined }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push({ url: request.url ?? '', key: request.headers['idempotency-key']?.toString() })
    const next = prepared.shift() ?? 'lost'
    if (next === 'lost') return void request.socket.destroy()
    response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers })
    response.end(JSON.stringify(next.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  prepared = []
  received = []
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const page = (data: readonly object[], nextCursor: string | null): Prepared => ({
  status: 200,
  body: { data, meta: { nextCursor } },
  headers: { 'X-SVC-Credits-Charged': String(data.length) },
})
const error = (status: number, code: string, message = 'No.', headers = {}): Prepared => ({ status, body: { error: code, message }, headers })

/** Runs a command. `out` replaces the function that writes to standard output. */
async function ask(args: readonly string[], env: Readonly<Record<string, string>> = {}, out?: () => Promise<void>) {
  let [stdout, stderr] = ['', '']
  const write = async (text: string) => {
    stdout += text
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const err = (text: string) => {
    stderr += text
  }
  const terminal = { env: { SVC_API_KEY: 'svc_test_x', SVC_API_URL: url, ...env }, out: out ?? write, err, catchInterrupt: () => new AbortController().signal }
  return { status: await run(args, terminal), stdout, stderr }
}

test.each(['table', 'csv', 'json', 'ndjson'])('a list in %s that fails after a page prints the paid rows and how to continue', async (format) => {
  const rows = [{ provider: 'one' }, { provider: 'two' }]
  prepared = [page(rows, 'next'), 'lost', 'lost', 'lost']
  const { status, stdout, stderr } = await ask(['rates', '--limit', '5', '--max-credits', '9', '--fields', 'provider', '--format', format])
  expect([status, stdout.includes('one'), stdout.includes('two')]).toEqual([3, true, true])
  const key = received[1]?.key ?? ''
  const [spent, reason, advice] = stderr.split('\n')
  expect([spent, reason]).toEqual(['2 rows, 2 credits', expect.stringContaining('network_error')])
  expect(advice).toContain(`repeat the command with --limit=3 --max-credits=7 --cursor=next --idempotency-key=${key}`)
  prepared = [page([{ provider: 'three' }], null)]
  expect(await ask(['rates', '--limit=3', '--cursor=next', `--idempotency-key=${key}`])).toMatchObject({ status: 0, stderr: '1 row, 1 credit\n' })
  expect(received.at(-1)).toEqual({ url: expect.stringContaining('cursor=next'), key })
})

verifies('clients/command-line-failures', 'a list that is rejected after a page prints how to continue', async () => {
  prepared = [page([{ provider: 'one' }], 'next'), error(403, 'forbidden')]
  const { status, stdout, stderr } = await ask(['rates', '--all', '--format', 'json'])
  expect([status, JSON.parse(stdout)]).toEqual([1, [{ provider: 'one' }]])
  expect(stderr).toMatch(/^1 row, 1 credit\nNo\. \(forbidden\)\nTo continue .+ --cursor=next --idempotency-key=[\w-]+\n$/)
})

test('a failed single call prints its idempotency key, unless nothing can have been charged', async () => {
  prepared = ['lost', 'lost', 'lost']
  const lost = await ask(['rates', 'some-product'])
  expect(lost).toMatchObject({ status: 3, stdout: '' })
  expect(lost.stderr).toContain(`add --idempotency-key=${received[0]?.key}\n`)
  prepared = [error(404, 'not_found')]
  expect(await ask(['rates', 'some-product'])).toEqual({ status: 1, stdout: '', stderr: 'No. (not_found)\n' })
  prepared = [error(409, 'replay_unavailable')]
  expect((await ask(['rates', 'some-product', '--idempotency-key', 'own'])).stderr).toBe('No. (replay_unavailable)\n')
  expect(received.at(-1)?.key).toBe('own')
})

test("reports the credits spent if the pipe's reader has exited", async () => {
  const ended = () => Promise.reject(Object.assign(new Error('The reader has ended.'), { code: 'EPIPE' }))
  for (const format of ['ndjson', 'csv']) {
    prepared = [page([{ provider: 'one' }], null)]
    expect(await ask(['rates', '--format', format], {}, ended)).toEqual({ status: 0, stdout: '', stderr: '1 row, 1 credit\n' })
  }
  prepared = [{ status: 200, body: { data: {}, meta: {} }, headers: { 'X-SVC-Credits-Charged': '1', 'X-SVC-Credits-Balance': '4' } }]
  expect(await ask(['rates', 'one'], {}, ended)).toEqual({ status: 0, stdout: '', stderr: '1 credit, 4 left\n' })
})

test('no format prints control characters, and CSV has no formulas', async () => {
  const esc = '\u001b[31m'
  const row = { provider: `${esc}x\u009b2J`, accountName: '=1+1', note: `\u0007@SUM(A1)`, rate: '-0.50', change: -1.5, lines: 'a\nb' }
  const control = /[^\P{Cc}\n\r]/u
  for (const format of ['table', 'csv', 'json', 'ndjson']) {
    prepared = [page([row], null)]
    const { stdout } = await ask(['rates', '--format', format])
    expect([format, control.test(stdout)]).toEqual([format, false])
    if (format === 'csv') expect(stdout).toContain(`\r\n[31mx2J,'=1+1,'@SUM(A1),-0.50,-1.5,"a\nb"\r\n`)
    if (format === 'json') expect(JSON.parse(stdout)).toEqual([row])
    if (format === 'ndjson') expect(JSON.parse(stdout)).toEqual(row)
  }
})

test('error messages contain no control characters', async () => {
  prepared = [{ status: 400, body: { error: 'x\u001b[2J', message: 'No\u001b[2J', requestId: 'req_\u001b[2J' } }]
  expect((await ask(['ping'])).stderr).toBe('No [2J (x [2J, req_ [2J)\n')
})

test('live keys are only sent over HTTPS', async () => {
  const insecure = { SVC_API_KEY: 'svc_live_x', SVC_API_URL: 'http://api.example.test/v1' }
  expect(await ask(['ping'], insecure)).toMatchObject({ status: 2, stderr: expect.stringContaining('Live keys are only sent over https://') })
})
