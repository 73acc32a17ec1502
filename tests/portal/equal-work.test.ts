import * as argon2 from '@node-rs/argon2'
import { Client } from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'
import { dataLicence } from '#server/api/contract/envelope.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { signIn } from '#server/auth/sign-in.ts'
import { openAccount } from '#server/billing/ledger.ts'
import { createLog } from '#server/observability/log.ts'
import { askForReset } from '#server/self-service/passwords.ts'
import { signUp } from '#server/self-service/sign-up.ts'
import { ownDatabase } from '../support/own-database.ts'

// Counts the calls to argon2, because measured times would vary.
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) }
})

const database = ownDatabase()
const known = 'known@example.test'
const password = 'four green apples fell'
const statements: string[] = []
let asker = { address: '203.0.113.1', agent: '' }

function deps(): AuthContext {
  return {
    pool: database.pool,
    log: createLog('silent'),
    secret: 'a secret of the tests that is long enough',
    publicUrl: 'https://api.example.test',
    providers: { google: null, oidc: null },
    showsOutbox: false,
  }
}

let networks = 0
beforeEach(() => {
  asker = { ...asker, address: `203.0.113.${++networks}` }
})

/** Counts the argon2 calls and database statements of a function. */
async function countWork(run: () => Promise<unknown>): Promise<{ hashes: number; checks: number; statements: string[] }> {
  vi.mocked(argon2.hash).mockClear()
  vi.mocked(argon2.verify).mockClear()
  statements.length = 0
  const { query } = Client.prototype
  Client.prototype.query = function counted(this: Client, ...given: unknown[]) {
    const [first] = given
    statements.push(typeof first === 'string' ? first : String((first as { text?: string }).text))
    return Reflect.apply(query, this, given)
  } as never
  try {
    await run()
    // A failed sign-in is recorded in the account's history after the response. Waits for that statement, so that it is counted.
    do await new Promise(setImmediate)
    while (database.pool.waitingCount > 0 || database.pool.idleCount < database.pool.totalCount)
  } finally {
    Client.prototype.query = query
  }
  return { hashes: vi.mocked(argon2.hash).mock.calls.length, checks: vi.mocked(argon2.verify).mock.calls.length, statements: [...statements] }
}

test('does the same work for registered and unregistered emails', async () => {
  const request = { email: known, password, plan: 'hobby' as const, isAdmin: false, isApproved: true, isVerified: true }
  await openAccount(database.pool, request, { kind: 'starter' })
  // Makes a first password check, which creates the dummy hash, before any work is compared.
  await countWork(() => signIn(deps(), asker, { email: 'first@example.test', password: 'wrong' }, null))
  const tries = {
    'sign in': (email: string) => signIn(deps(), asker, { email, password: 'wrong password here' }, null),
    'sign up': (email: string) => signUp(deps(), asker, { email, password, acceptsLicence: true, licence: dataLicence }),
    reset: (email: string) => askForReset(deps(), asker, email),
  }
  for (const [name, run] of Object.entries(tries)) {
    const [first, other] = [await countWork(() => run(known)), await countWork(() => run('unknown@example.test'))]
    expect(first, name).toEqual(other)
    expect(first.statements.length, name).toBeGreaterThan(0)
  }
  expect((await countWork(() => tries['sign in'](known))).checks).toBe(2)
  expect((await countWork(() => tries['sign up'](known))).hashes).toBe(1)
})
