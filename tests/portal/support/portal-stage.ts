import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { Pool as PgPool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { openAccount } from '../../../server/billing/ledger.ts'
import { cloneDatabase, type TestDatabase } from '../../support/database.ts'
import { endPool, watched } from '../../support/own-database.ts'
import { type ServiceProcess, startProcess } from '../../support/service-process.ts'
import { linkIn, Mailbox } from './mailbox.ts'
import { type Page, Visitor } from './visitor.ts'

export const goodPassword = 'four green apples fell'

export type Member = { readonly email: string; readonly id: number; readonly publicId: string; readonly visitor: Visitor }

type Opened = { database: TestDatabase; pool: Pool; service: ServiceProcess; mailbox: Mailbox; dataDir: string; origin: string; smtpUrl: string }

/** A port that is free now, so that the service can be told its own address before it starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return typeof address === 'object' && address !== null ? address.port : 0
}

let made = 0

type Settings = Record<string, string> | ((origin: string, smtpUrl: string) => Promise<Record<string, string>>)

/** The portal as people meet it: our own process, a real database, a real mail server. */
export class PortalStage {
  private opened: Opened | null = null

  /** `more` are settings beyond the stage's own; it may depend on the address of the service. */
  async open(more: Settings = {}): Promise<void> {
    const [dataDir, database, port] = [await mkdtemp(join(tmpdir(), 'svc-portal-')), await cloneDatabase(), await freePort()]
    const mailbox = new Mailbox()
    const smtpUrl = await mailbox.open()
    const origin = `http://127.0.0.1:${port}`
    const own = {
      PORT: String(port),
      PUBLIC_URL: origin,
      ROLES: 'gateway,portal,worker',
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'Savings Rates API <no-reply@example.test>',
    }
    const env = typeof more === 'function' ? await more(origin, smtpUrl) : more
    const service = await startProcess({ databaseUrl: database.url, mount: 'next', dataDir, env: { ...own, ...env } })
    const pool = watched(new PgPool({ connectionString: database.url, max: 6 }))
    this.opened = { database, pool, service, mailbox, dataDir, origin, smtpUrl }
  }

  async close(): Promise<void> {
    if (!this.opened) return
    const { service, pool, mailbox, database, dataDir } = this.opened
    await service.stop()
    await mailbox.close()
    await endPool(pool)
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }

  private get here(): Opened {
    if (!this.opened) throw new Error('The stage is not open yet: use it inside of a test.')
    return this.opened
  }

  get pool(): Pool {
    return this.here.pool
  }

  get mailbox(): Mailbox {
    return this.here.mailbox
  }

  get service(): ServiceProcess {
    return this.here.service
  }

  get origin(): string {
    return this.here.origin
  }

  /** Where the service finds its database, with the password that it signs in with. */
  get databaseUrl(): string {
    return this.here.database.url
  }

  visitor(): Visitor {
    return new Visitor(this.origin)
  }

  async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows
  }

  newEmail(): string {
    return `person-${process.pid}-${++made}@example.test`
  }

  /** Signs up on the page, as far as the page that says to look at the mail. */
  async signUp(visitor: Visitor, email: string, password = goodPassword): Promise<Page> {
    return visitor.press(await visitor.open('/sign-up'), 'Create account', { email, password, licence: 'yes' })
  }

  /** Presses the button behind the newest link to an address. */
  async confirm(visitor: Visitor, email: string, n = 1): Promise<Page> {
    const page = await visitor.open(linkIn(await this.mailbox.next(email, n)))
    return visitor.press(page, 'Confirm email')
  }

  /** Somebody who signed up, confirmed, and is signed in. */
  async newcomer(): Promise<Member> {
    const [visitor, email] = [this.visitor(), this.newEmail()]
    await this.signUp(visitor, email)
    await this.confirm(visitor, email)
    const [row] = await this.sql<{ id: string; public_id: string }>('SELECT id, public_id FROM account WHERE email = $1 AND closed_at IS NULL', [email])
    return { email, visitor, id: Number(row?.id), publicId: row?.public_id ?? '' }
  }

  /** An account as the operator makes one, signed in. */
  async member(options: { isAdmin?: boolean; isApproved?: boolean; credits?: number } = {}): Promise<Member> {
    const email = this.newEmail()
    const request = {
      email,
      password: goodPassword,
      plan: 'hobby' as const,
      isAdmin: options.isAdmin ?? false,
      isApproved: options.isApproved ?? true,
      isVerified: true,
    }
    const account = await openAccount(this.pool, request, { kind: 'adjustment', credits: options.credits ?? 100 })
    const visitor = this.visitor()
    await this.signIn(visitor, email)
    return { email, visitor, id: account.id, publicId: account.publicId }
  }

  async signIn(visitor: Visitor, email: string, password = goodPassword): Promise<Page> {
    return visitor.press(await visitor.open('/sign-in'), 'Sign in', { email, password })
  }

  async balance(accountId: number): Promise<number> {
    const [row] = await this.sql<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [accountId])
    return Number(row?.balance)
  }
}

/** One stage for the tests of a file. */
export function portalStage(env: Record<string, string> = {}): PortalStage {
  const stage = new PortalStage()
  beforeAll(() => stage.open(env))
  afterAll(() => stage.close())
  return stage
}
