import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { codeAt, stepAt } from '../../server/auth/totp.ts'
import { linkIn } from './support/mailbox.ts'
import { portalStage } from './support/portal-stage.ts'
import type { Visitor } from './support/visitor.ts'

/** Secrets of the operator. The provider is not there, so that reaching for it fails and is logged. */
const settings = {
  NEXTAUTH_SECRET: 'canary that seals the cookies and signs the cursors',
  STRIPE_WEBHOOK_SECRET: 'whsec_canary0signing0secret0of0payments',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'canary of the identity provider',
}
const operatorSecrets = [settings.NEXTAUTH_SECRET, settings.STRIPE_WEBHOOK_SECRET, settings.OIDC_CLIENT_SECRET]

const stage = portalStage({ LOG_LEVEL: 'trace', ...settings })

const [canary, second] = ['canary password number one', 'canary password number two']

type Walk = {
  /** What only its owner may know: passwords, keys, links, codes, the sign-in itself. */
  readonly secrets: string[]
  /** What is personal and stands nowhere but in the account and its letters. */
  readonly emails: string[]
  /** Everything that was answered after a secret had been shown or sent: pages, errors, headers. */
  readonly answers: string[]
  /** Every address that somebody was led to. */
  readonly ways: string[]
}

const walk: Walk = { secrets: [...operatorSecrets], emails: [], answers: [], ways: [] }

const lastPart = (path: string) => path.split('/').at(-1) ?? ''

/** Sends what a careless client or a stranger would send, and keeps every answer. */
async function callBadly(keys: readonly string[]): Promise<void> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(stage.origin + path, { redirect: 'manual', ...init })
    walk.answers.push(`${[...response.headers].join('\n')}\n${await response.text()}`)
    walk.ways.push(response.headers.get('location') ?? '')
  }
  for (const key of keys) {
    await ask('/v1/rates?limit=1', { headers: { authorization: `Bearer ${key}` } })
    await ask(`/v1/rates?limit=1&api_key=${key}`, { headers: { authorization: `Bearer ${key}`, 'user-agent': `program ${key}` } })
    await ask('/v1/rates?limit=none', { headers: { authorization: `Bearer ${key}` } })
    await ask('/v1/rates', { headers: { authorization: `Bearer ${key.slice(0, -1)}` } })
    await ask(`/mcp`, { method: 'POST', body: '{', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } })
  }
  await ask('/api/stripe/webhook', { method: 'POST', body: '{}', headers: { 'stripe-signature': 't=1,v1=00' } })
}

async function makeKeys(visitor: Visitor, welcome: string): Promise<string[]> {
  const live = await visitor.press(await visitor.open('/portal/keys/new'), 'Create test key', { mode: 'live', name: 'Canary', scopes: ['rates:read'] })
  return [/svc_test_\w+/.exec(welcome)?.[0] ?? '', /svc_live_\w+/.exec(live.text)?.[0] ?? '']
}

async function turnOnSecondFactor(visitor: Visitor): Promise<string[]> {
  const setUp = await visitor.press(await visitor.open('/portal/settings'), 'Set up two-factor sign-in', { currentPassword: canary })
  const spaced = /([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(setUp.text)?.[0] ?? ''
  const secret = spaced.replaceAll(' ', '')
  const on = await visitor.press(setUp, 'Turn on', { code: codeAt(secret, stepAt(Date.now())) })
  return [secret, /\b[a-z2-7]{4}(?:-[a-z2-7]{4}){3}\b/.exec(on.text)?.[0] ?? '']
}

/** Every page of the portal once more, after everything that is shown once was shown. */
async function lookAround(visitor: Visitor): Promise<void> {
  const ids = await stage.sql<{ id: string }>("SELECT public_id AS id FROM api_key WHERE name = 'Canary'")
  for (const path of ['/portal', '/portal/keys', `/portal/keys/${ids[0]?.id}`, '/portal/settings', '/portal/licence', '/docs', '/console'])
    walk.answers.push((await visitor.open(path)).html)
}

/** Failures are where secrets slip out: wrong passwords, a provider that is away, a table that is gone in the middle of a sign-up. */
async function failOnTheWay(email: string): Promise<void> {
  const other = stage.visitor()
  walk.answers.push((await stage.signIn(other, email, `${canary} mistyped`)).html)
  walk.answers.push((await other.press(await other.open('/sign-in'), 'Continue with single sign-on')).html)
  await stage.sql('ALTER TABLE mail RENAME TO mail_gone')
  walk.answers.push((await stage.signUp(other, stage.newEmail(), canary)).html)
  await stage.sql('ALTER TABLE mail_gone RENAME TO mail')
  walk.ways.push(...other.ways)
}

/** Everything secret that a person leaves behind on the way through the portal. */
beforeAll(async () => {
  const [visitor, email] = [stage.visitor(), stage.newEmail()]
  await stage.signUp(visitor, email, canary)
  const confirm = linkIn(await stage.mailbox.next(email))
  const welcome = await visitor.press(await visitor.open(confirm), 'Confirm email')
  // What the page does by itself once it stands.
  await visitor.send('/portal/welcome/shown', { method: 'POST', headers: { origin: stage.origin } })
  const keys = await makeKeys(visitor, welcome.text)
  const factor = await turnOnSecondFactor(visitor)
  const sessions = [...visitor.cookies].filter(([name]) => name.endsWith('session')).map(([, value]) => value)
  await callBadly(keys)
  await lookAround(visitor)
  await failOnTheWay(email)
  const other = stage.visitor()
  await other.press(await other.open('/reset'), 'Send reset link', { email })
  const reset = linkIn(await stage.mailbox.next(email, 3))
  walk.answers.push((await other.press(await other.open(reset), 'Save password', { password: second })).html)
  walk.secrets.push(canary, second, lastPart(confirm), lastPart(reset), ...keys, ...factor, ...sessions)
  walk.emails.push(email)
  walk.ways.push(...visitor.ways, ...other.ways)
})

const secretsIn = (text: string, words: readonly string[]): string[] => words.filter((word) => text.includes(word))

test('a password, a key of each mode, links, a second factor, a sign-in and the secrets of the operator were planted', () => {
  expect(walk.secrets.every((secret) => secret.length > 12)).toBe(true)
  expect(new Set(walk.secrets).size).toBe(12)
  expect(walk.answers.length).toBeGreaterThan(15)
  expect(walk.ways.filter((way) => way !== '').length).toBeGreaterThan(5)
})

test('no secret and no whole email is in a log, whatever its level', () => {
  const log = stage.service.log()
  expect(log).toContain('Serving.')
  expect(log.split('\n').filter((line) => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= 40)).not.toEqual([])
  expect(secretsIn(log, [...walk.secrets, ...walk.emails])).toEqual([])
})

test('no secret and no email is in an address that anybody is led to', () => {
  expect(secretsIn(walk.ways.map(decodeURIComponent).join('\n'), [...walk.secrets, ...walk.emails])).toEqual([])
})

test('no secret is in an error, in a page or in a header of an answer', () => {
  expect(secretsIn(walk.answers.join('\n'), walk.secrets)).toEqual([])
})

test('nothing of it is in the database but a hash or what is sealed', async () => {
  const tables = await stage.sql<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname !~ '^(product|provider|card)'",
  )
  expect(tables.map(({ name }) => name).some((name) => name.startsWith('request_log'))).toBe(true)
  const kept: string[] = []
  for (const { name } of tables)
    kept.push(...(await stage.sql<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM "${name}" t LIMIT 5000`)).map(({ row }) => row))
  expect(secretsIn(kept.join('\n'), walk.secrets)).toEqual([])
})

test('what browsers are given knows no setting, no driver and no key', () => {
  const folder = join(import.meta.dirname, '../../.next/static')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|css|json|map)$/.test(file))
  expect(files.length).toBeGreaterThan(10)
  const names = Object.keys(settings).filter((name) => /SECRET/.test(name))
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    expect([file, ...secretsIn(text, [...walk.secrets, ...names, 'STRIPE_SECRET_KEY', 'DATABASE_URL', 'SMTP_URL', 'argon2'])]).toEqual([file])
    expect([file, /svc_(?:test|live|partner)_[0-9A-Za-z]{36}/.exec(text)?.[0]]).toEqual([file, undefined])
  }
})
