import { execFile } from 'node:child_process'
import { closeSync, openSync, readdirSync, writeSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startOwnServer } from '../chaos/own-server.ts'
import { makeAccount } from '../support/accounts.ts'
import { svcProgram } from '../support/programs.ts'

type Output = { readonly code: number; readonly err: string }

function svc(databaseUrl: string, args: string[]): Promise<Output> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [svcProgram, ...args], { env: { ...process.env, DATABASE_URL: databaseUrl } }, (_error, _out, err) =>
      resolve({ code: child.exitCode ?? -1, err }),
    )
  })
}

test('ledger verification and backups explain what to do about a damaged database page', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'svc-damaged-'))
  await chmod(parent, 0o755)
  await using server = await startOwnServer({ parent })
  await makeAccount(server.pool, { credits: 10 })
  const { rows } = await server.pool.query<{ file: string }>("SELECT pg_relation_filepath('wallet') AS file")
  await server.pool.query('CHECKPOINT').catch(() => undefined)
  await server.end('SIGKILL')
  const file = join(parent, readdirSync(parent)[0] ?? '', 'pgdata', rows[0]?.file ?? '')
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(8_192, 0x5a), 0, 8_192, 0)
  closeSync(opened)
  await server.untilUp()
  for (const args of [
    ['ledger', 'verify'],
    ['backup', 'create', '--out', join(parent, 'copy.tar.gz')],
  ]) {
    const { code, err } = await svc(server.url, args)
    expect([args[0], code]).toEqual([args[0], 1])
    expect(err).toMatch(/invalid page in block 0 of relation/)
    expect(err).toMatch(/PostgreSQL found a damaged page\. Keep a copy of the data files, then restore the latest intact backup: docs\/runbooks\.md/)
  }
  await rm(parent, { recursive: true, force: true })
}, 60_000)
