import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { createGunzip, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { readTar, type TarEntry, writeTar } from '#server/backup/tar.ts'
import { svcProgram } from '../../support/programs.ts'
import { authSecret, publicUrl } from '../../support/service-process.ts'

/** Returns the environment for `svc`, with either a database URL or the data folder of an embedded database. */
export const environment = (database: { url: string } | { dataDir: string }): NodeJS.ProcessEnv => {
  const where = 'url' in database ? { DATABASE_URL: database.url } : { DATABASE_URL: '', DATA_DIR: database.dataDir }
  return { ...process.env, NODE_ENV: 'production', NEXTAUTH_SECRET: authSecret, PUBLIC_URL: publicUrl, ...where }
}

export type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** Runs `svc` to completion. `before` is a shell command to run first, for example to set a limit. */
export function svc(env: NodeJS.ProcessEnv, args: readonly string[], before = ''): Promise<Ran> {
  const script = `${before} exec "$0" "$@"`
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', script, process.execPath, svcProgram, ...args], { env, maxBuffer: 16_000_000 }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    )
  })
}

/** Rewrites a backup with changed entries, without updating its checksums. */
export async function rewrite(from: string, to: string, change: (entry: TarEntry) => TarEntry | null): Promise<void> {
  async function* changed(): AsyncGenerator<TarEntry> {
    for await (const entry of readTar(createReadStream(from).pipe(createGunzip()))) {
      const kept = change(entry)
      if (kept) yield kept
    }
  }
  await writeFile(to, gzipSync(await buffer(writeTar(changed(), 0))))
}

/** Drops a database while it is in use and creates an empty one with the same name. */
export async function recreateDatabase(url: string): Promise<void> {
  const address = new URL(url)
  const name = address.pathname.slice(1)
  address.pathname = '/svc'
  const admin = new Client({ connectionString: address.href })
  await admin.connect()
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
}
