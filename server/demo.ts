import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { AccountError, accountByEmail } from './accounts/accounts.ts'
import { openAccount } from './billing/ledger.ts'
import { scopeNames } from './contract/scopes.ts'
import type { Env } from './env.ts'
import { createKey } from './keys/keys.ts'

const email = 'demo@example.test'
const demoCredits = 1_000

type Demo = { email: string; password: string; testKey: string; liveKey: string }

const demoPath = (env: Env) => join(env.dataDir, 'demo.json')

async function demoAccount(pool: Pool, password: string): Promise<number> {
  try {
    return (await accountByEmail(pool, email)).id
  } catch (error) {
    if (!(error instanceof AccountError)) throw error
    const request = { email, password, plan: 'enterprise' as const, isAdmin: false, isApproved: true, isVerified: true }
    return (await openAccount(pool, request, { kind: 'adjustment', credits: demoCredits })).id
  }
}

/** Makes the demonstration account with a test and a live key, once for each data folder, and keeps its sign-in in `demo.json`. */
export async function seedDemonstration(pool: Pool, env: Env): Promise<void> {
  if (existsSync(demoPath(env))) return
  const password = randomBytes(12).toString('base64url')
  const accountId = await demoAccount(pool, password)
  const test = await createKey(pool, { accountId, mode: 'test', scopes: scopeNames, name: 'Demonstration test key' })
  const live = await createKey(pool, { accountId, mode: 'live', scopes: scopeNames, name: 'Demonstration live key' })
  const demo: Demo = { email, password, testKey: test.key, liveKey: live.key }
  writeFileSync(demoPath(env), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
}

/** Tells whoever started the service where it is and how to call it. */
export function announce(env: Env): void {
  const demo = JSON.parse(readFileSync(demoPath(env), 'utf8')) as Demo
  process.stdout.write(
    [
      '',
      `  Savings Rates Data API   ${env.publicUrl}`,
      `  Sign-in                  ${demo.email}  ${demo.password}`,
      `  Test key                 ${demo.testKey}`,
      `  Live key                 ${demo.liveKey}   (${demoPath(env)} has all of this)`,
      '',
      `  curl "${env.publicUrl}/v1/rates?type=easy-access&limit=3" -H "Authorization: Bearer ${demo.liveKey}"`,
      '',
      '',
    ].join('\n'),
  )
}
