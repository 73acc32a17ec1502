import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { accountByEmail, holdAccount, setPasswordHash } from '#server/accounts/accounts.ts'
import { AccountError } from '#server/accounts/change-account.ts'
import { hashPassword } from '#server/accounts/password.ts'
import { dataScopes } from '#server/api/contract/access.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { productName } from '#server/api/contract/product-name.ts'
import { openAccount } from '#server/billing/ledger.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Env } from '#server/env.ts'
import { createKey, isKnownKey, revokeNamed } from '#server/keys/keys.ts'
import { outboxLink } from '#server/self-service/outbox.ts'
import { demoPath, demonstrationEmail as email } from './close-demonstration.ts'

const demoCredits = 1_000
const keyNames = { test: 'Demonstration test key', live: 'Demonstration live key' } as const satisfies Record<Mode, string>

const Demo = z.object({ email: z.string(), password: z.string(), testKey: z.string(), liveKey: z.string() })

type Demo = z.infer<typeof Demo>

/** Result of seeding the demonstration account. `isNew`: the password and keys were just created; `isRenewed`: they replace lost ones. */
export type Demonstration = { readonly isNew: boolean; readonly isRenewed: boolean }

/** Returns the stored email, password and keys, or null if the file is missing or invalid. */
function readDemo(env: Env): Demo | null {
  if (!existsSync(demoPath(env))) return null
  try {
    return Demo.parse(JSON.parse(readFileSync(demoPath(env), 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null
    throw error
  }
}

/** Writes `demo.json` under a temporary name and renames it, so that nobody reads a partial file. */
function writeDemo(env: Env, demo: Demo): void {
  const temporary = `${demoPath(env)}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, demoPath(env))
}

/** Returns true if both stored keys exist in this database. Revoked ones count too, because they were revoked on purpose. */
async function hasBothKeys(db: Db, demo: Demo | null): Promise<boolean> {
  return demo !== null && (await isKnownKey(db, demo.testKey)) && (await isKnownKey(db, demo.liveKey))
}

async function makeAccount(pool: Database): Promise<void> {
  const request = { email, password: null, plan: 'enterprise' as const, isAdmin: false, isApproved: true, isVerified: true }
  try {
    await openAccount(pool, request, { kind: 'adjustment', credits: demoCredits })
  } catch (error) {
    // Another process that is starting at the same time may have created the account.
    if (!(error instanceof AccountError)) throw error
    await accountByEmail(pool, email)
  }
}

/**
 * Gives the account a password and two keys, and stores them in `demo.json`. The file is written before the transaction is committed: if the commit fails, the
 * database does not know the keys in the file, and the next start creates new ones.
 */
async function createCredentials(pool: Database, env: Env): Promise<Demonstration> {
  const password = randomBytes(16).toString('base64url')
  const passwordHash = await hashPassword(password)
  return inTransaction(pool, async (client) => {
    // If two processes start at the same time, the second one waits here and then finds the keys that the first one created.
    const accountId = await holdAccount(client, email)
    if (await hasBothKeys(client, readDemo(env))) return { isNew: false, isRenewed: false }
    await setPasswordHash(client, accountId, passwordHash)
    const revoked = (await revokeNamed(client, accountId, keyNames.test)) + (await revokeNamed(client, accountId, keyNames.live))
    const getKey = async (mode: Mode) => (await createKey(client, { accountId, mode, scopes: dataScopes, name: keyNames[mode] })).key
    writeDemo(env, { email, password, testKey: await getKey('test'), liveKey: await getKey('live') })
    return { isNew: true, isRenewed: revoked > 0 }
  })
}

/**
 * Creates the demonstration account with a test and a live key, once per data folder, and stores its password and keys in `demo.json`. The database has only
 * their hashes, so if the file is lost, the account gets a new password and new keys, and its old keys are revoked (`isRenewed`).
 */
export async function seedDemonstration(pool: Database, env: Env): Promise<Demonstration> {
  if (await hasBothKeys(pool, readDemo(env))) {
    // If the file was copied by hand, other users may be able to read it.
    chmodSync(demoPath(env), 0o600)
    return { isNew: false, isRenewed: false }
  }
  await makeAccount(pool)
  return createCredentials(pool, env)
}

/** Quotes text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a shell expression that reads the live key from the file, so that the printed command contains no secret. */
const keyFromFile = (env: Env): string => `$(node -p ${quoted(`require(${JSON.stringify(resolve(demoPath(env)))}).liveKey`)})`

/**
 * Returns the lines printed about the demonstration account. The start that creates the password and keys shows them; later starts show the path of the file.
 */
function demonstrationLines(env: Env, { isNew, isRenewed }: Demonstration) {
  const demo = readDemo(env)
  if (demo === null) throw new Error(`${demoPath(env)} is missing. Restart the service to recreate it.`)
  const secrets = [
    `  Sign-in                  ${demo.email}  ${demo.password}`,
    `  Test key                 ${demo.testKey}`,
    `  Live key                 ${demo.liveKey}   (${demoPath(env)} has all of this)`,
  ]
  const renewed = "  demo.json is missing, and keys can't be shown again. Created a new password and new keys, and revoked the old keys."
  return {
    signIn: isNew ? secrets : [`  Sign-in and keys         ${demoPath(env)}`],
    firstCall: [
      ...(isRenewed ? [renewed, ''] : []),
      `  curl "${env.publicUrl}/v1/rates?type=easy-access&limit=3" -H "Authorization: Bearer ${isNew ? demo.liveKey : keyFromFile(env)}"`,
      '',
    ],
  }
}

/** In development mode, prints the service's URL, the demonstration account (if any) and the link to the emails. */
export function announce(env: Env, secret: string, demonstration: Demonstration | null): void {
  const { signIn, firstCall } = demonstration === null ? { signIn: [], firstCall: [] } : demonstrationLines(env, demonstration)
  const emails = env.smtp === null && env.roles.has('portal') ? [`  Emails                   ${outboxLink(env.publicUrl, secret)}`] : []
  process.stdout.write(['', `  ${productName}   ${env.publicUrl}`, ...signIn, ...emails, '', ...firstCall, ''].join('\n'))
}
