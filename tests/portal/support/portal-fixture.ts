import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from 'next-auth/jwt'
import { hashPassword } from '#server/accounts/password.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { cookieName } from '#server/auth/cookies.ts'
import { beginSession } from '#server/auth/sessions.ts'
import { openAccount } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { borrowService } from '../../support/borrowed-service.ts'
import { cloneDatabase } from '../../support/database.ts'
import { authSecret, portalSettings, type ServiceProcess, startProcess } from '../../support/service-process.ts'
import { endPool, openTestPool, watched } from '../../support/test-pool.ts'
import { linkIn, Mailbox } from './mailbox.ts'
import { type Page, Visitor } from './visitor.ts'

export const goodPassword = 'four green apples fell'

/** Hash of the test password, computed once because hashing is the slowest part of creating an account. */
let goodHash: Promise<string> | null = null

export type Member = { readonly email: string; readonly id: number; readonly publicId: string; readonly visitor: Visitor }

export type MemberOptions = { readonly isAdmin?: boolean; readonly isApproved?: boolean; readonly credits?: number }

type Opened = {
  readonly databaseUrl: string
  readonly pool: Database
  readonly service: Pick<ServiceProcess, 'api' | 'origin' | 'log'>
  readonly mailbox: Mailbox
  readonly origin: string
  /** Values with which to create cookies that the service accepts. */
  readonly cookies: Pick<AuthContext, 'publicUrl' | 'secret'>
  readonly leave: () => Promise<void>
}

let emailCount = 0

/** Additional settings of the service, which may depend on its address and mail server. */
export type Settings = Record<string, string> | ((origin: string, smtpUrl: string) => Promise<Record<string, string>>)

type Place = Omit<Opened, 'pool'>

/** Starts a service with its own copy of the database. */
async function ownPortal(more: Settings): Promise<Place> {
  const [dataDir, database] = [await mkdtemp(join(tmpdir(), 'svc-portal-')), await cloneDatabase()]
  const mailbox = new Mailbox()
  const smtpUrl = await mailbox.open()
  const own = await portalSettings(Number(new URL(smtpUrl).port))
  const env = typeof more === 'function' ? await more(own.PUBLIC_URL, smtpUrl) : more
  const settings: Record<string, string> = { ...own, ...env }
  const service = await startProcess({ databaseUrl: database.url, mount: 'next', dataDir, env: settings })
  const cookies = { publicUrl: settings['PUBLIC_URL'] ?? own.PUBLIC_URL, secret: settings['NEXTAUTH_SECRET'] ?? authSecret }
  const leave = async () => {
    await service.stop()
    await mailbox.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { databaseUrl: database.url, service, mailbox, origin: own.PUBLIC_URL, cookies, leave }
}

/** Borrows a service shared with other test files; its database may contain their accounts. */
async function sharedPortal(): Promise<Place> {
  const { service, databaseUrl, smtpPort, giveBack } = await borrowService('portal')
  const mailbox = new Mailbox()
  await mailbox.open(smtpPort)
  const leave = async () => {
    await mailbox.close()
    await giveBack()
  }
  return { databaseUrl, service, mailbox, origin: service.origin, cookies: { publicUrl: service.origin, secret: authSecret }, leave }
}

/** Test server of the portal: a service process, a database and a mail server. */
export class PortalFixture {
  private opened: Opened | null = null

  /** Borrows a shared service, or starts a new one if settings are given. Settings may depend on the service's address. */
  async open(more?: Settings): Promise<void> {
    const place = await (more ? ownPortal(more) : sharedPortal())
    const pool = watched(openTestPool({ connectionString: place.databaseUrl, max: 6 }))
    this.opened = { ...place, pool }
    // Other test files use the same IP address, and their attempts must not count here.
    await pool.query('DELETE FROM throttle')
  }

  async close(): Promise<void> {
    if (!this.opened) return
    const { pool, leave } = this.opened
    await endPool(pool)
    await leave()
  }

  private get here(): Opened {
    if (!this.opened) throw new Error('The test server is not open yet. Use it inside a test.')
    return this.opened
  }

  get pool(): Database {
    return this.here.pool
  }

  get mailbox(): Mailbox {
    return this.here.mailbox
  }

  get service(): Opened['service'] {
    return this.here.service
  }

  /** Returns the end of the service's log, for failure messages. */
  notices(): string {
    return this.service.log().slice(-4_000)
  }

  get origin(): string {
    return this.here.origin
  }

  /** Returns the database URL of the service, including the password. */
  get databaseUrl(): string {
    return this.here.databaseUrl
  }

  visitor(): Visitor {
    return new Visitor(this.origin)
  }

  async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows
  }

  newEmail(): string {
    return `person-${process.pid}-${++emailCount}@example.test`
  }

  /** Submits the sign-up form, which redirects to the page that asks the user to check their email. */
  async signUp(visitor: Visitor, email: string, password = goodPassword): Promise<Page> {
    return visitor.submitForm(await visitor.open('/sign-up'), 'Create account', { email, password, licence: 'yes' })
  }

  /** Opens the nth link sent to an address and confirms it. */
  async confirm(visitor: Visitor, email: string, n = 1): Promise<Page> {
    const page = await visitor.open(linkIn(await this.mailbox.next(email, n)))
    return visitor.submitForm(page, 'Confirm email')
  }

  /** Returns a member who signed up on the pages and confirmed their email. */
  async newcomer(): Promise<Member> {
    const [visitor, email] = [this.visitor(), this.newEmail()]
    await this.signUp(visitor, email)
    await this.confirm(visitor, email)
    const [row] = await this.sql<{ id: string; public_id: string }>('SELECT id, public_id FROM account WHERE email = $1 AND closed_at IS NULL', [email])
    return { email, visitor, id: Number(row?.id), publicId: row?.public_id ?? '' }
  }

  /** Signs in without the sign-in page, because password hashing is slow: starts a session and sets its cookie. */
  private async addSession(visitor: Visitor, account: { id: number; publicId: string }): Promise<void> {
    const deps = { pool: this.pool, ...this.here.cookies } as AuthContext
    const session = await beginSession(deps, { address: '127.0.0.1', agent: visitor.agent }, { ...account, sessionVersion: 1 })
    if (session === null) throw new Error(`${account.publicId} could not sign in.`)
    const token = { sub: session.accountPublicId, sid: session.sessionId }
    visitor.cookies.set(cookieName(deps, 'session'), await encode({ token, secret: deps.secret }))
  }

  /** Creates an account as the operator command does, and signs it in. Tests that use `signIn` cover the sign-in page. */
  async member(options: MemberOptions = {}): Promise<Member> {
    const email = this.newEmail()
    const request = {
      email,
      password: null,
      plan: 'hobby' as const,
      isAdmin: options.isAdmin ?? false,
      isApproved: options.isApproved ?? true,
      isVerified: true,
    }
    const account = await openAccount(this.pool, request, { kind: 'adjustment', credits: options.credits ?? 100 })
    goodHash ??= hashPassword(goodPassword)
    await this.sql('UPDATE account SET password_hash = $2 WHERE id = $1', [account.id, await goodHash])
    const visitor = this.visitor()
    await this.addSession(visitor, account)
    return { email, visitor, id: account.id, publicId: account.publicId }
  }

  /** Returns a signed-in administrator with two-factor sign-in. */
  async administrator(): Promise<Member> {
    const member = await this.member({ isAdmin: true })
    await this.sql("INSERT INTO second_factor (account_id, secret, since) VALUES ($1, '\\x00', now())", [member.id])
    await this.sql('UPDATE portal_session SET second_factor_at = now() WHERE account_id = $1', [member.id])
    return member
  }

  async signIn(visitor: Visitor, email: string, password = goodPassword): Promise<Page> {
    return visitor.submitForm(await visitor.open('/sign-in'), 'Sign in', { email, password })
  }

  async balance(accountId: number): Promise<number> {
    const [row] = await this.sql<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [accountId])
    return Number(row?.balance)
  }
}
