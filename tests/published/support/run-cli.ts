import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { svcProgram } from '../../support/programs.ts'
import { authSecret, publicUrl } from '../../support/service-process.ts'

/** Runs the CLI on the database at `databaseUrl` and returns its standard output. */
export async function runCli(databaseUrl: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXTAUTH_SECRET: authSecret, DATABASE_URL: databaseUrl, PUBLIC_URL: publicUrl }
  const { stdout } = await promisify(execFile)(process.execPath, [svcProgram, ...args], { env, maxBuffer: 16_000_000 })
  return stdout
}
