import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartnerKey } from '#server/keys/keys.ts'
import { StripeServer, testKey } from '../billing/support/stripe-server.ts'
import { codeAt, stepAt } from '../support/totp.ts'
import { linkIn } from './support/mailbox.ts'
import { PortalFixture } from './support/portal-fixture.ts'
import { getData, type Visitor } from './support/visitor.ts'

/** Secrets of the operator. The identity provider doesn't exist, so signing in with it fails and logs an error. */
const settings = {
  NEXTAUTH_SECRET: 'canary that seals the cookies and signs the cursors',
  STRIPE_SECRET_KEY: testKey,
  STRIPE_WEBHOOK_SECRET: 'whsec_canary0signing0secret0of0payments',
  GOOGLE_CLIENT_ID: 'portal.apps.example.test',
  GOOGLE_CLIENT_SECRET: 'GOCSPX-canary-of-google',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'canary of the identity provider',
}
const mailPassword = 'canary-of-the-mail-server'
const operatorSecrets = [
  settings.NEXTAUTH_SECRET,
  settings.STRIPE_SECRET_KEY,
  settings.STRIPE_WEBHOOK_SECRET,
  settings.GOOGLE_CLIENT_SECRET,
  settings.OIDC_CLIENT_SECRET,
  mailPassword,
]

const fixture = new PortalFixture()
let stripe: StripeServer

/** Starts a service with every secret that an operator can set. Returns the password that the database generated for itself. */
async function openFixture(): Promise<string> {
  stripe = await StripeServer.open()
  await fixture.open(async (_, smtpUrl) => {
    const withPassword = smtpUrl.replace('smtp://', `smtp://post:${mailPassword}@`)
    return { NODE_ENV: '', LOG_LEVEL: 'trace', ...settings, STRIPE_API_BASE: stripe.base, SMTP_URL: withPassword }
  })
  return new URL(fixture.databaseUrl).password
}

afterAll(async () => {
  await fixture.close()
  await stripe.close()
})

const [canary, second] = ['canary password number one', 'canary password number two']

type Trace = {
  /** Secrets that only their owner may know: passwords, keys, links, codes and session tokens. */
  readonly secrets: string[]
  /** Personal data that only the account and its emails may contain. */
  readonly emails: string[]
  /** Responses after a secret was shown or sent: pages, errors and headers. */
  readonly answers: string[]
  /** URLs to which users were redirected. */
  readonly urls: string[]
}

const trace: Trace = { secrets: [...operatorSecrets], emails: [], answers: [], urls: [] }

const getAccount = async (email: string) => Number((await fixture.sql<{ id: string }>('SELECT id FROM account WHERE email = $1', [email]))[0]?.id)

const lastPart = (path: string) => path.split('/').at(-1) ?? ''

/** Sends requests like those of a careless client or an attacker, and records every response. */
async function callBadly(keys: readonly string[]): Promise<void> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(fixture.origin + path, { redirect: 'manual', ...init })
    trace.answers.push(`${[...response.headers].join('\n')}\n${await response.text()}`)
    trace.urls.push(response.headers.get('location') ?? '')
  }
  for (const key of keys) {
    await ask('/v1/rates?limit=1', { headers: { authorization: `Bearer ${key}` } })
    await ask(`/v1/rates?limit=1&api_key=${key}`, { headers: { authorization: `Bearer ${key}`, 'user-agent': `program ${key}` } })
    await ask('/api/v1/rates', { headers: { authorization: `Bearer ${key}` } })
    await ask('/v1/rates?limit=none', { headers: { authorization: `Bearer ${key}` } })
    await ask('/v1/rates', { headers: { authorization: `Bearer ${key.slice(0, -1)}` } })
    await ask(`/mcp`, { method: 'POST', body: '{', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } })
  }
  await ask('/api/stripe/webhook', { method: 'POST', body: '{}', headers: { 'stripe-signature': 't=1,v1=00' } })
}

async function makeKeys(visitor: Visitor, welcome: string): Promise<string[]> {
  const live = await visitor.submitForm(await visitor.open('/portal/keys/new'), 'Create test key', { mode: 'live', name: 'Canary', scopes: ['rates:read'] })
  return [/svc_test_\w+/.exec(welcome)?.[0] ?? '', live.result.key]
}

async function turnOnSecondFactor(visitor: Visitor): Promise<string[]> {
  const setUp = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Set up two-factor sign-in', { currentPassword: canary })
  const { secret } = setUp.result
  const codes = getData(await visitor.call('security.confirmSecondFactor', 'mutation', { code: codeAt(secret, stepAt(Date.now())) }))
  return [secret, codes[0]]
}

/** Returns the URLs of links, forms and images on a page. */
const addressesIn = (html: string): string[] => [...html.matchAll(/\s(?:href|action|formaction|src)="([^"]*)"/g)].map(([, address]) => address ?? '')

/** Returns the paths of portal pages and files that show data of this account. */
async function portalPaths(requestId: string): Promise<string[]> {
  const ids = await fixture.sql<{ id: string }>("SELECT public_id AS id FROM api_key WHERE name = 'Canary'")
  const topUps = await fixture.sql<{ id: string }>('SELECT public_id AS id FROM top_up')
  const now = new Date()
  const [month, today] = [now.toISOString().slice(0, 7), now.toISOString().slice(0, 10)]
  return [
    ...['/portal', '/portal/keys', '/portal/keys/new', `/portal/keys/${ids[0]?.id}`, '/portal/settings', '/portal/licence'],
    ...['security', 'notifications', 'account'].map((page) => `/portal/settings/${page}`),
    ...['/portal/usage', `/portal/usage/csv?from=${today}&to=${today}`, '/portal/requests', `/portal/requests/${requestId}`],
    ...[
      '/portal/billing',
      '/portal/billing/statement',
      '/portal/billing/receipts',
      '/portal/billing/alerts',
      '/portal/billing/top-up?amount=20',
      `/portal/billing/top-ups/${topUps[0]?.id}`,
      `/portal/billing/return?topUp=${topUps[0]?.id}`,
    ],
    ...[`/portal/billing/statements/${month}`, ...['ledger.csv', 'ledger.json'].map((file) => `/portal/billing/statements/${month}/${file}`)],
    ...['/', '/docs', '/reference/rates-list', '/status', '/sign-in', '/sign-up', '/reset'],
  ]
}

/** Opens every page of the portal again, after all secrets that are displayed only once have been displayed. */
async function openAllPages(visitor: Visitor): Promise<void> {
  await visitor.submitForm(await visitor.open('/portal/billing/top-up?amount=20'), 'Pay £20')
  const [call] = getData(
    await visitor.call('requests.list', 'query', { search: null, endpoint: null, key: null, status: 200, before: null, limit: 1 }),
  ).requests
  for (const path of await portalPaths(call.id)) {
    const { status, html, headers } = await visitor.open(path)
    expect([path, status]).toEqual([path, 200])
    trace.answers.push(`${[...headers].join('\n')}\n${html}`)
    trace.urls.push(...addressesIn(html))
  }
}

/** Provokes failures, where secrets are most likely to leak: wrong passwords, an unreachable provider, a missing table during sign-up. */
async function provokeFailures(email: string): Promise<void> {
  const other = fixture.visitor()
  trace.answers.push((await fixture.signIn(other, email, `${canary} mistyped`)).html)
  trace.answers.push((await other.submitForm(await other.open('/sign-in'), 'Continue with single sign-on')).html)
  await fixture.sql('ALTER TABLE email RENAME TO email_gone')
  trace.answers.push((await fixture.signUp(other, fixture.newEmail(), canary)).html)
  await fixture.sql('ALTER TABLE email_gone RENAME TO email')
  trace.urls.push(...other.ways)
}

/** Enters every kind of secret that a user can enter in the portal. */
beforeAll(async () => {
  const databasePassword = await openFixture()
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(visitor, email, canary)
  const confirm = linkIn(await fixture.mailbox.next(email))
  const welcome = await visitor.submitForm(await visitor.open(confirm), 'Confirm email')
  // The page sends this request once it has loaded.
  await visitor.send('/portal/welcome/shown', { method: 'POST', headers: { origin: fixture.origin } })
  const keys = await makeKeys(visitor, welcome.text)
  const factor = await turnOnSecondFactor(visitor)
  const sessions = [...visitor.cookies].filter(([name]) => name.endsWith('session')).map(([, value]) => value)
  const { key: partner } = await createPartnerKey(fixture.pool, { accountId: await getAccount(email) })
  await callBadly([...keys, partner])
  await openAllPages(visitor)
  await provokeFailures(email)
  const other = fixture.visitor()
  await other.submitForm(await other.open('/reset'), 'Send reset link', { email })
  const reset = linkIn(await fixture.mailbox.next(email, 3))
  trace.answers.push((await other.submitForm(await other.open(reset), 'Save password', { password: second })).html)
  trace.secrets.push(canary, second, lastPart(confirm), lastPart(reset), ...keys, partner, ...factor, ...sessions, databasePassword)
  trace.emails.push(email)
  trace.urls.push(...visitor.ways, ...other.ways)
})

function plain(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    // The URL can't be decoded, because it contains a literal percent sign.
    return address
  }
}

const secretsIn = (text: string, candidates: readonly string[]): string[] => candidates.filter((candidate) => text.includes(candidate))

test('the test has collected every kind of secret', () => {
  expect(trace.secrets.every((secret) => secret.length > 12)).toBe(true)
  expect(new Set(trace.secrets).size).toBe(17)
  expect(trace.answers.length).toBeGreaterThan(45)
  expect(trace.urls.filter((url) => url !== '').length).toBeGreaterThan(200)
})

test('no log line contains a secret or a full email address', () => {
  const log = fixture.service.log()
  expect(log).toContain('Serving.')
  expect(log.split('\n').filter((line) => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= 40)).not.toEqual([])
  expect(secretsIn(log, [...trace.secrets, ...trace.emails])).toEqual([])
})

test('no URL contains a secret or an email address', () => {
  expect(secretsIn(trace.urls.map(plain).join('\n'), [...trace.secrets, ...trace.emails])).toEqual([])
})

test('no error, page or response header contains a secret', () => {
  expect(secretsIn(trace.answers.join('\n'), trace.secrets)).toEqual([])
})

test('the database contains secrets only in hashed or encrypted form', async () => {
  const tables = await fixture.sql<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname !~ '^(product|provider|card)'",
  )
  expect(tables.map(({ name }) => name).some((name) => name.startsWith('request_log'))).toBe(true)
  const kept: string[] = []
  for (const { name } of tables)
    kept.push(...(await fixture.sql<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM "${name}" t LIMIT 5000`)).map(({ row }) => row))
  expect(secretsIn(kept.join('\n'), trace.secrets)).toEqual([])
})

test('client bundles contain no settings, drivers or keys', () => {
  const folder = join(import.meta.dirname, '../../.next/static')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|css|json|map)$/.test(file))
  expect(files.length).toBeGreaterThan(10)
  const names = Object.keys(settings).filter((name) => /SECRET/.test(name))
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    expect([file, ...secretsIn(text, [...trace.secrets, ...names, 'STRIPE_SECRET_KEY', 'DATABASE_URL', 'SMTP_URL', 'argon2'])]).toEqual([file])
    expect([file, /svc_(?:test|live|partner)_[0-9A-Za-z]{36}/.exec(text)?.[0]]).toEqual([file, undefined])
  }
})
