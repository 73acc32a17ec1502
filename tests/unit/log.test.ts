import { once } from 'node:events'
import { connect } from 'node:net'
import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { errors } from '#server/api/contract/errors.ts'
import { FailedCalls } from '#server/api/pipeline/failed-calls.ts'
import { openPool } from '#server/db/pool.ts'
import type { Database } from '#server/db/prisma.ts'
import { logCalls } from '#server/observability/call-reports.ts'
import { createLog } from '#server/observability/log.ts'
import { calls } from '#server/observability/telemetry/calls.ts'
import { ownDatabase } from '../support/own-database.ts'
import { endPool, watched } from '../support/test-pool.ts'

type Facts = { type: string; message: string; stack: string; code?: string; cause?: Facts; errors?: Facts[] }

const database = ownDatabase()

/** Returns the log line of an error, as text and parsed. */
function logged(error: unknown): { text: string; err: Facts } {
  const lines: string[] = []
  createLog('info', { write: (line) => lines.push(line) }).warn({ err: error }, 'A test.')
  expect(lines).toHaveLength(1)
  return { text: lines.join(), err: (JSON.parse(lines.join()) as { err: Facts }).err }
}

const open = (onError: (error: Error) => void): Database =>
  watched(openPool({ url: database.url, max: 2, applicationName: 'log test', statementTimeoutMs: 5_000, onError }))

/** Returns the cancel key of a connection. With the key and the process id, anyone can cancel any statement of the connection. */
const getCancelKey = (client: PoolClient): string => JSON.stringify((client as unknown as { secretKey: unknown }).secretKey)

/** Makes the server close the only idle connection of a pool. Returns the error reported by the pool, and the cancel key of the connection. */
async function breakConnection(): Promise<{ error: Error; cancelKey: string }> {
  const reported: Error[] = []
  const pool = open((error) => reported.push(error))
  const client = await pool.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const cancelKey = getCancelKey(client)
  client.release()
  await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await expect.poll(() => reported.length).toBeGreaterThan(0)
  await endPool(pool)
  return { error: reported[0] as Error, cancelKey }
}

test('logs a broken connection without its cancel key, settings or password', async () => {
  const { error, cancelKey } = await breakConnection()
  // The test proves something only if the error contains the secret.
  expect(Object.keys(error)).toContain('client')
  expect(cancelKey.length).toBeGreaterThan(3)
  const { text, err } = logged(error)
  expect(Object.keys(err).toSorted()).toEqual(['code', 'message', 'routine', 'severity', 'stack', 'type'])
  expect(err).toMatchObject({ type: 'DatabaseError', code: '57P01', message: 'terminating connection due to administrator command', severity: 'FATAL' })
  for (const secret of ['secretKey', 'client', cancelKey, decodeURIComponent(new URL(database.url).password)]) {
    expect(text).not.toContain(secret)
  }
  expect(text.length).toBeLessThan(3_000)
})

test('logs the names in a SQL error, but not the values', async () => {
  const insert = `INSERT INTO licence_version VALUES ('v2026-09', now(), now())`
  const error: unknown = await database.pool.query(insert).catch((fault: unknown) => fault)
  expect(String((error as { detail: unknown }).detail)).toContain('v2026-09')
  const { text, err } = logged(error)
  expect(err).toMatchObject({ code: '23505', table: 'licence_version', constraint: 'licence_version_pkey' })
  expect(text).not.toContain('v2026-09')
})

test('logs the code and each attempted address when the server is down', async () => {
  const socket = connect({ host: 'localhost', port: 1, autoSelectFamily: true })
  const [error] = (await once(socket, 'error', {}).catch((fault: unknown) => [fault])) as [Error]
  const { err } = logged(error)
  expect(err.code).toBe('ECONNREFUSED')
  for (const one of err.errors ?? []) expect(one.message).toMatch(/^connect ECONNREFUSED /)
})

test('logs causes with the same redaction, and stops at circular ones', () => {
  const inner = Object.assign(new RangeError('inner'), { secret: 'hush', code: 'E_INNER' })
  const outer = new Error('outer', { cause: inner })
  inner.cause = outer
  const { text, err } = logged(outer)
  expect(err).toMatchObject({ type: 'Error', message: 'outer', cause: { type: 'RangeError', message: 'inner', code: 'E_INNER' } })
  expect(err.stack).toContain('log.test.ts')
  expect(text).not.toContain('hush')
  expect(text.match(/"message":"inner"/g)?.length).toBeLessThan(5)
})

test('logs a thrown value that is not an Error only if it is a string', () => {
  expect(logged('plain text').err).toEqual({ type: 'string', message: 'plain text' })
  expect(logged({ password: 'hush' }).err).toEqual({ type: 'object', message: 'Not an Error.' })
})

/** Creates a log at this level and collects its lines. */
function getLines(level: string): { log: ReturnType<typeof createLog>; lines: string[] } {
  const lines: string[] = []
  return { log: createLog(level, { write: (line) => lines.push(line) }), lines }
}

test('writes one line per call at debug level, without parameters or the key', () => {
  const end = (level: string, error = 0) => {
    const { log, lines } = getLines(level)
    logCalls(log, level === 'debug')
    const call = calls.begin(undefined)
    call.mark(0)
    call.answered(
      { endpoint: { no: 7, id: 'things.list', method: 'GET', path: '/things' }, target: '/things?api_key=svc_live_hush' },
      'a1b2',
      error > 0 ? 402 : 200,
      error,
    )
    calls.end(call)
    return lines
  }
  try {
    expect(end('info')).toEqual([])
    const [line = '', ...others] = end('debug')
    expect(others).toEqual([])
    expect(JSON.parse(line)).toMatchObject({ level: 20, requestId: 'req_a1b2', endpoint: 'things.list', status: 200, credits: 0, tookMs: expect.any(Number) })
    expect(line).not.toMatch(/hush|api_key|svc_live/)
    const { no } = errors.insufficient_credits
    expect(JSON.parse(end('debug', no)[0] ?? '')).toMatchObject({ status: 402, error: 'insufficient_credits' })
  } finally {
    calls.onEnd = null
    calls.onSlow = null
  }
})

test('logs a slow call at any level, with its id and the time of each step', () => {
  const { log, lines } = getLines('info')
  logCalls(log, false)
  const call = calls.begin(undefined)
  Object.assign(call, { begun: call.begun - 1_200, requestId: 'c3d4', marks: [4, performance.now()] })
  calls.end(call)
  calls.onSlow = null
  expect(JSON.parse(lines.join())).toMatchObject({ level: 30, msg: 'A call was slow.', requestId: 'req_c3d4', endpoint: 'none' })
  expect((JSON.parse(lines.join()) as { steps: { admit: number } }).steps.admit).toBeGreaterThan(1_000)
})

test('logs calls that failed together in a few lines, without omitting any', async () => {
  const { log, lines } = getLines('info')
  const failures = new FailedCalls(log)
  const ids = Array.from({ length: 1_005 }, (_, index) => `id${index}`)
  for (const id of ids) failures.add(id)
  await expect.poll(() => lines.length).toBe(2)
  const loggedIds = lines.flatMap((line) => (JSON.parse(line) as { requestIds: string[] }).requestIds)
  expect(loggedIds).toEqual(ids.map((id) => `req_${id}`))
})
