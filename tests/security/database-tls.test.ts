import { execFileSync } from 'node:child_process'
import { chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { EnvError, readEnv } from '#server/env.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { openTestPool } from '../support/test-pool.ts'

const tls = 'must have sslmode=verify-full, because the server is on another machine; DATABASE_TLS=off allows a connection without TLS.'

/** Writes a self-signed certificate for localhost and its key, with mode 0600. */
function makeCertificate(certFile: string, keyFile: string): void {
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile]
  execFileSync('openssl', ['req', '-x509', '-days', '30', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', ...key, '-out', certFile], {
    stdio: 'pipe',
  })
}

function getFaults(variables: Record<string, string>): string[] {
  try {
    readEnv(variables as unknown as NodeJS.ProcessEnv)
    return []
  } catch (error) {
    if (error instanceof EnvError) return error.message.split('\n')
    throw error
  }
}

const production = { NODE_ENV: 'production', HOST: '127.0.0.1', PUBLIC_URL: 'https://api.example.com', NEXTAUTH_SECRET: 's'.repeat(32) }
const remote = 'postgresql://svc:word@db.example.com:5432/svc'

test.each([
  remote,
  `${remote}?sslmode=disable`,
  `${remote}?sslmode=no-verify`,
  `${remote}?sslmode=require&uselibpqcompat=true`,
  'postgresql://svc:word@127.0.0.1/svc?host=db.example.com',
  'postgresql://svc:word@10.0.0.5/svc',
  'postgresql://svc:word@127.0.0.1:5432,db.example.com:5432/svc',
])('rejects %s in production', (url) => {
  expect(getFaults({ ...production, DATABASE_URL: url })).toEqual([`DATABASE_URL ${tls}`])
  expect(getFaults({ DATABASE_URL: url, DATABASE_TLS: 'required' })).toEqual([`DATABASE_URL ${tls}`])
  expect(getFaults({ ...production, DATABASE_URL: url, DATABASE_TLS: 'off' })).toEqual([])
})

test.each([
  `${remote}?sslmode=verify-full`,
  'postgresql://svc:word@db1.example.com:5432,db2.example.com:5432/svc?sslmode=verify-full&target_session_attrs=read-write',
  'postgresql://svc:word@127.0.0.1:5432,localhost:5433/svc',
  'postgresql://svc:word@127.0.0.1:5432/svc',
  'postgresql://svc:word@[::1]:5432/svc',
  'postgresql://svc:word@localhost/svc',
  'postgresql://svc@/svc?host=/var/run/postgresql',
])('accepts %s in production', (url) => {
  expect(getFaults({ ...production, DATABASE_URL: url })).toEqual([])
})

test('requires TLS for the direct, replica and migration URLs', () => {
  const given = { ...production, DATABASE_URL: 'postgresql://svc@127.0.0.1:6432/svc', DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: remote }
  expect(getFaults({ ...given, DATABASE_REPLICA_URL: remote, DATABASE_MIGRATION_URL: remote })).toEqual([
    `DATABASE_DIRECT_URL ${tls}`,
    `DATABASE_REPLICA_URL ${tls}`,
    `DATABASE_MIGRATION_URL ${tls}`,
  ])
})

test('reports an unreadable certificate file without printing the URL', () => {
  const faults = getFaults({ ...production, DATABASE_URL: `${remote}?sslmode=verify-full&sslrootcert=/none/root.crt` })
  expect(faults).toEqual(["DATABASE_URL is not usable: the URL or a certificate file it names can't be read (ENOENT)."])
})

test('runs migrations and charges calls over TLS, and rejects an unknown certificate', { timeout: 120_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-tls-'))
  const log = () => undefined
  // The first start creates the data directory. PostgreSQL's private key must have the same owner.
  await (await startEmbedded({ dataDir, log, settings: { fsync: 'off' } })).stop()
  const { uid, gid } = await stat(join(dataDir, 'pgdata'))
  const [certFile, keyFile, otherFile] = ['server.crt', 'server.key', 'other.crt'].map((name) => join(dataDir, 'pgdata', name)) as [string, string, string]
  makeCertificate(certFile, keyFile)
  makeCertificate(otherFile, join(dataDir, 'other.key'))
  for (const file of [certFile, keyFile]) await chown(file, uid, gid)
  const server = await startEmbedded({ dataDir, log, settings: { fsync: 'off', ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' } })
  const address = new URL(server.url)
  address.hostname = 'localhost'
  const overTls = (rootFile: string) => `${address.href}?sslmode=verify-full&sslrootcert=${encodeURIComponent(rootFile)}`
  const pool = openTestPool({ connectionString: server.url, max: 2 })
  let service: ServiceProcess | null = null
  try {
    await expect(new Client({ connectionString: overTls(otherFile) }).connect()).rejects.toThrow(/certificate/)
    await migrate(overTls(certFile), { log })
    service = await startProcess({ databaseUrl: overTls(certFile), mount: 'lean', dataDir, env: { DATABASE_TLS: 'required', ROLES: 'gateway,worker' } })
    const account = await makeAccount(pool, { credits: 10 })
    const { key: apiKey } = await makeKey(pool, account)
    expect((await call(service.api, '/reference/fscs', apiKey)).headers.get('x-svc-credits-charged')).toBe('1')
    const { rows } = await pool.query<{ ssl: boolean; connections: number }>(
      `SELECT s.ssl, count(*)::int AS connections FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
       WHERE a.application_name LIKE 'svc%' AND a.application_name NOT LIKE 'svc lease%' AND a.client_addr IS NOT NULL GROUP BY 1`,
    )
    expect(rows).toEqual([{ ssl: true, connections: expect.any(Number) }])
  } finally {
    await service?.stop()
    await pool.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
