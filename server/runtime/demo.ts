import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { AccountError } from '#server/accounts/account-error.ts'
import { accountByEmail, holdAccount, setPasswordHash } from '#server/accounts/accounts.ts'
import { hashPassword } from '#server/accounts/password.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { scopeNames } from '#server/api/contract/scopes.ts'
import { outboxLink } from '#server/auth/outbox-key.ts'
import { openAccount } from '#server/billing/ledger.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Env } from '#server/env.ts'
import { isKnownKey, revokeNamed } from '#server/keys/held-keys.ts'
import { createKey } from '#server/keys/keys.ts'
import { demoPath, demonstrationEmail as email } from './close-demonstration.ts'

const demoCredits = 1_000
const keyNames = { test: 'Demonstration test key', live: 'Demonstration live key' } as const satisfies Record<Mode, string>

const Demo = z.object({ email: z.string(), password: z.string(), testKey: z.string(), liveKey: z.string() })

type Demo = z.infer<typeof Demo>

/** How this start found the demonstration account. `isNew`: its password and keys were made just now; `isRenewed`: in place of others that were lost. */
export type Demonstration = { readonly isNew: boolean; readonly isRenewed: boolean }

/** What was kept; null when it is lost: the file is gone, or cannot be read as what was written into it. */
function readDemo(env: Env): Demo | null {
  if (!existsSync(demoPath(env))) return null
  try {
    return Demo.parse(JSON.parse(readFileSync(demoPath(env), 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null
    throw error
  }
}

/** Written beside and renamed, so that nobody ever reads half of it. */
function writeDemo(env: Env, demo: Demo): void {
  const beside = `${demoPath(env)}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  renameSync(beside, demoPath(env))
}

/** Whether what was kept belongs to this database. Keys that were revoked since then are known all the same: somebody meant it. */
async function isStanding(db: Pool | PoolClient, demo: Demo | null): Promise<boolean> {
  return demo !== null && (await isKnownKey(db, demo.testKey)) && (await isKnownKey(db, demo.liveKey))
}

async function makeAccount(pool: Pool): Promise<void> {
  const request = { email, password: null, plan: 'enterprise' as const, isAdmin: false, isApproved: true, isVerified: true }
  try {
    await openAccount(pool, request, { kind: 'adjustment', credits: demoCredits })
  } catch (error) {
    // Another process that starts at this moment may have made it.
    if (!(error instanceof AccountError)) throw error
    await accountByEmail(pool, email)
  }
}

/**
 * Gives the account a password and two keys, and keeps them in the file. The file is written inside of the transaction: when that fails, the file holds
 * keys that nobody knows, and the next start makes new ones.
 */
async function equip(pool: Pool, env: Env): Promise<Demonstration> {
  const password = randomBytes(16).toString('base64url')
  const passwordHash = await hashPassword(password)
  return inTransaction(pool, async (client) => {
    // Of processes that start together the second waits here, and finds what the first has made.
    const accountId = await holdAccount(client, email)
    if (await isStanding(client, readDemo(env))) return { isNew: false, isRenewed: false }
    await setPasswordHash(client, accountId, passwordHash)
    const revoked = (await revokeNamed(client, accountId, keyNames.test)) + (await revokeNamed(client, accountId, keyNames.live))
    const keyOf = async (mode: Mode) => (await createKey(client, { accountId, mode, scopes: scopeNames, name: keyNames[mode] })).key
    writeDemo(env, { email, password, testKey: await keyOf('test'), liveKey: await keyOf('live') })
    return { isNew: true, isRenewed: revoked > 0 }
  })
}

/**
 * Makes the demonstration account with a test and a live key, once for each data folder, and keeps its sign-in in `demo.json`. Keys and passwords are
 * kept as hashes only, so when the file is lost the account is given new ones and its old keys are revoked; `isRenewed` says so.
 */
export async function seedDemonstration(pool: Pool, env: Env): Promise<Demonstration> {
  if (await isStanding(pool, readDemo(env))) {
    // A copy made by hand may be readable by others.
    chmodSync(demoPath(env), 0o600)
    return { isNew: false, isRenewed: false }
  }
  await makeAccount(pool)
  return equip(pool, env)
}

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** What a first call needs, without a secret in it: the key is read from the file by the command itself. */
const keyFromFile = (env: Env): string => `$(node -p ${quoted(`require(${JSON.stringify(resolve(demoPath(env)))}).liveKey`)})`

/** Lines about the demonstration account. The sign-in and the keys are printed once, when they are made; later starts name the file, so that no log collects them again. */
function demonstrationLines(env: Env, { isNew, isRenewed }: Demonstration) {
  const demo = readDemo(env)
  if (demo === null) throw new Error(`${demoPath(env)} is gone again. Start the service once more to have it made anew.`)
  const secrets = [
    `  Sign-in                  ${demo.email}  ${demo.password}`,
    `  Test key                 ${demo.testKey}`,
    `  Live key                 ${demo.liveKey}   (${demoPath(env)} has all of this)`,
  ]
  const renewed = '  demo.json was lost. A key is shown once, so the account has a new password and new keys; the old keys are revoked.'
  return {
    signIn: isNew ? secrets : [`  Sign-in and keys         ${demoPath(env)}`],
    firstCall: [
      ...(isRenewed ? [renewed, ''] : []),
      `  curl "${env.publicUrl}/v1/rates?type=easy-access&limit=3" -H "Authorization: Bearer ${isNew ? demo.liveKey : keyFromFile(env)}"`,
      '',
    ],
  }
}

/** Prints the address of a service in development, its demonstration account if it has one, and the link to its emails. */
export function announce(env: Env, secret: string, demonstration: Demonstration | null): void {
  const { signIn, firstCall } = demonstration === null ? { signIn: [], firstCall: [] } : demonstrationLines(env, demonstration)
  const emails = env.smtp === null && env.roles.has('portal') ? [`  Emails                   ${outboxLink(env.publicUrl, secret)}`] : []
  process.stdout.write(['', `  Savings Rates Data API   ${env.publicUrl}`, ...signIn, ...emails, '', ...firstCall, ''].join('\n'))
}
