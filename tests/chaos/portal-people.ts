/** Portal users who sign in, view pages, and create and revoke keys. Each change must apply to the next call, whichever process serves it. */

import { changePlan } from '#server/accounts/accounts.ts'
import { hashPassword } from '#server/accounts/password.ts'
import type { Database } from '#server/db/prisma.ts'
import { getData, Visitor } from '../portal/support/visitor.ts'
import { makeAccount, type TestAccount } from '../support/accounts.ts'
import { type Actor, inTime, Turns } from './actor.ts'
import { LoadKind } from './load-kind.ts'
import { pick } from './scenario.ts'

export const portalPassword = 'four green apples fell'

/** Creates an account that can sign in to the portal. */
export async function makePerson(pool: Database): Promise<TestAccount> {
  const account = await makeAccount(pool, { credits: 100_000 })
  await pool.query('UPDATE wallet SET minute_limit = 1000000, day_limit = 1000000 WHERE account_id = $1', [account.id])
  await pool.query('UPDATE account SET password_hash = $2 WHERE id = $1', [account.id, await hashPassword(portalPassword)])
  return account
}

/** Signs in on the page. Returns false if that failed. */
export async function signIn(visitor: Visitor, { email }: TestAccount): Promise<boolean> {
  const page = await inTime(async () => {
    const form = await visitor.open('/sign-in')
    // Leads to the portal if an earlier attempt has signed in, but its response was lost.
    return form.path.startsWith('/sign-in') ? visitor.submitForm(form, 'Sign in', { email, password: portalPassword }) : form
  })
  return page?.status === 200 && !page.path.startsWith('/sign-in')
}

const newKey = { mode: 'live', name: 'A key', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
const reads = ['billing.overview', 'keys.list', 'profile.read', 'security.read'] as const
const unavailable = 500

export class PortalPerson implements Actor {
  readonly load = new LoadKind('portal')
  readonly faults: string[] = []
  private readonly revoked: string[] = []
  private readonly visitor: Visitor
  private readonly turns: Turns
  private readonly pool: Database
  private readonly account: TestAccount
  private readonly origins: readonly string[]
  private isSignedIn = false
  private turn = 0

  constructor(pool: Database, account: TestAccount, portal: string, origins: readonly string[]) {
    this.pool = pool
    this.account = account
    this.origins = origins
    this.visitor = new Visitor(portal)
    this.turns = new Turns(() => this.next(), { pauseMs: 700 })
  }

  private async next(): Promise<void> {
    this.turn++
    if (!this.isSignedIn) return this.begin()
    if (this.turn % 4 === 0) return this.makeAndRevoke()
    if (this.turn % 9 === 0) return this.changeRules()
    await this.ask(pick(reads), 'query')
  }

  private async begin(): Promise<void> {
    const sentAt = performance.now()
    this.isSignedIn = await signIn(this.visitor, this.account)
    this.load.note(sentAt, this.isSignedIn)
  }

  /** Calls a procedure. A session must survive every injected failure, so any rejection is an error. */
  private async ask(procedure: string, kind: 'query' | 'mutation', input?: unknown) {
    const sentAt = performance.now()
    const answer = await inTime(() => this.visitor.call(procedure, kind, input))
    this.load.note(sentAt, answer !== null && answer.status < unavailable)
    if (answer !== null && answer.status !== 200 && answer.status < unavailable)
      this.faults.push(`${procedure} was rejected with ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`)
    return answer?.status === 200 ? answer : null
  }

  /** Revokes keys whose creation was never confirmed, because the number of keys per account is limited. */
  private async tidy(): Promise<void> {
    const listed = await this.ask('keys.list', 'query')
    const left = listed ? (getData(listed) as { id: string; state: string }[]).filter(({ state }) => state === 'active') : []
    for (const { id } of left.slice(0, 3)) await this.ask('keys.revoke', 'mutation', { id })
  }

  private async makeAndRevoke(): Promise<void> {
    await this.tidy()
    // Backdate the keys, so that the limit on keys created per hour does not apply.
    const aged = "UPDATE api_key SET created_at = created_at - interval '1 day' WHERE account_id = $1 AND created_at > now() - interval '2 hours'"
    await this.pool.query(aged, [this.account.id]).catch(() => undefined)
    await this.stayRecent()
    const made = await this.ask('keys.create', 'mutation', newKey)
    if (!made) return
    const { id, key } = getData(made) as { id: string; key: string }
    for (const origin of this.origins) await this.use(origin, key, 200)
    if (!(await this.ask('keys.revoke', 'mutation', { id }))) return
    this.revoked.push(key)
    for (const origin of this.origins) await this.use(origin, key, 403)
  }

  private async use(origin: string, key: string, expected: number): Promise<void> {
    const sentAt = performance.now()
    const answer = await inTime((signal) => fetch(`${origin}/v1/rates?limit=1`, { headers: { authorization: `Bearer ${key}` }, signal }))
    await answer?.body?.cancel().catch(() => undefined)
    const isAnswered = answer !== null && answer.status < unavailable
    this.load.note(sentAt, isAnswered)
    if (isAnswered && answer.status !== expected) this.faults.push(`a key got ${answer.status} instead of ${expected} at ${origin}`)
  }

  /** Marks the sign-ins as recent again, because a run lasts longer than a sign-in counts as recent. */
  private async stayRecent(): Promise<void> {
    await this.pool.query('UPDATE portal_session SET reauthenticated_at = now() WHERE account_id = $1', [this.account.id]).catch(() => undefined)
  }

  private async changeRules(): Promise<void> {
    await this.stayRecent()
    await this.ask('billing.setCap', 'mutation', { capCredits: Math.random() < 0.5 ? null : 50_000 + Math.floor(Math.random() * 1_000) })
    await changePlan(this.pool, this.account.email, pick(['business', 'enterprise'])).catch(() => undefined)
  }

  stop(): Promise<void> {
    return this.turns.stop()
  }

  /** Checks that revoked keys stay revoked on every process. */
  async check(): Promise<string[]> {
    const faults: string[] = []
    for (const key of this.revoked.slice(-20)) {
      for (const origin of this.origins) {
        const answer = await inTime((signal) => fetch(`${origin}/v1/ping`, { headers: { authorization: `Bearer ${key}` }, signal }))
        if (answer?.status !== 403) faults.push(`a revoked key gets ${answer?.status ?? 'no answer'} at ${origin}`)
      }
    }
    if (this.revoked.length === 0) faults.push('no key was revoked')
    return faults
  }
}
