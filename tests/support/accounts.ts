import { changeLimits } from '#server/accounts/accounts.ts'
import type { Plan } from '#server/api/contract/access.ts'
import { dataScopes, type Scope } from '#server/api/contract/access.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { openAccount } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { createKey, type KeyRequest } from '#server/keys/keys.ts'

export type TestAccount = { readonly id: number; readonly email: string; readonly publicId: string }

export type AccountOptions = {
  readonly credits?: number
  readonly plan?: Plan
  readonly approved?: boolean
  /** Limits that override the plan's limits. */
  readonly perMinute?: number
  readonly perDay?: number
}

export type KeyOptions = Partial<Omit<KeyRequest, 'accountId'>> & { readonly mode?: Mode; readonly scopes?: readonly Scope[] }

let made = 0

/** Creates an approved account with exactly this balance, as the operator command does. */
export async function makeAccount(pool: Database, options: AccountOptions = {}): Promise<TestAccount> {
  const { credits = 100, plan = 'enterprise', approved = true, perMinute, perDay } = options
  const email = `account-${process.pid}-${++made}@example.test`
  const request = { email, password: null, plan, isAdmin: false, isApproved: approved, isVerified: true }
  const account = await openAccount(pool, request, { kind: 'adjustment', credits })
  const own = { ...(perMinute === undefined ? {} : { perMinute }), ...(perDay === undefined ? {} : { perDay }) }
  if (Object.keys(own).length > 0) await changeLimits(pool, email, own)
  return account
}

/** Creates a key of the account; by default a live key with all scopes except `account:manage`. */
export async function makeKey(pool: Database, account: TestAccount, options: KeyOptions = {}): Promise<{ id: string; key: string }> {
  return createKey(pool, { accountId: account.id, mode: 'live', scopes: dataScopes, ...options })
}

export type ApiAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Tests read responses of every shape and state the expected shape in their assertions.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

/** Calls the API as any client would. `path` excludes `/v1`. */
export async function call(api: string, path: string, key: string | null, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<ApiAnswer> {
  const headers = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...init.headers }
  const response = await fetch(api + path, { ...init, headers, redirect: 'manual' })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: readBody(text) }
}

/** Returns the body as JSON, or as text if it is not JSON, so that a failing test shows the actual body. */
export function readBody(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
