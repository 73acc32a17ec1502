import { expect, test } from 'vitest'
import { TrustedProxies } from '#server/api/http/trusted-proxies.ts'
import { EnvError, readEnv as readVariables } from '#server/env.ts'

/** Parses variables without requiring NODE_ENV, which Next's types do. */
const readEnv = (variables: Record<string, string>) => readVariables(variables as NodeJS.ProcessEnv)

const getFaults = (variables: Record<string, string>): string[] => {
  try {
    readEnv(variables)
  } catch (error) {
    if (error instanceof EnvError) return error.message.split('\n')
    throw error
  }
  return []
}

test('has a default for every setting', () => {
  expect(readEnv({})).toEqual({
    port: 3_000,
    host: null,
    publicUrl: 'http://localhost:3000',
    databaseUrl: null,
    isPooled: false,
    directUrl: null,
    replicaUrl: null,
    migrationUrl: null,
    dataDir: '.data',
    roles: new Set(['gateway', 'portal', 'worker']),
    gatewayProcesses: 1,
    drainSeconds: 0,
    portalNiceness: 10,
    secret: null,
    trustProxy: new TrustedProxies(),
    watch: { metricsToken: null, traces: null },
    webhooksAllowPrivate: false,
    requestLogDays: null,
    securityContact: null,
    supportEmail: null,
    logLevel: 'info',
    deprecation: null,
    sunset: null,
    marketSources: [],
    providers: { google: null, oidc: null },
    smtp: null,
    payment: { stripeKey: null, webhookSecret: null, stripeBase: null, vat: null, fourEyesCredits: 1_000 },
    listener: { connections: 16_000, connectionsOfOne: 1_000, pagesPerMinute: 600 },
    developmentFeatures: true,
    isDevelopment: false,
  })
})

test('treats an empty variable as unset', () => {
  const empty = Object.fromEntries(
    ['PORT', 'HOST', 'PUBLIC_URL', 'DATABASE_URL', 'ROLES', 'NEXTAUTH_SECRET', 'TRUST_PROXY', 'API_V1_SUNSET'].map((name) => [name, '']),
  )
  expect(readEnv(empty)).toEqual(readEnv({}))
})

test('TRUST_PROXY=0 still trusts no proxy', () => {
  expect(readEnv({ TRUST_PROXY: '0' }).trustProxy.includes('127.0.0.1')).toBe(false)
})

test('reads every setting', () => {
  const variables = {
    NODE_ENV: 'development',
    PORT: '8080',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://127.0.0.1:8080',
    DATABASE_URL: 'postgresql://user:word@db.example.com:6432/svc',
    DATABASE_POOLER: 'transaction',
    DATABASE_DIRECT_URL: 'postgresql://user:word@db.example.com:5432/svc',
    DATABASE_REPLICA_URL: 'postgresql://user:word@replica.example.com:5432/svc',
    DATABASE_MIGRATION_URL: 'postgresql://owner:word@db.example.com:5432/svc',
    REQUEST_LOG_DAYS: '400',
    DATA_DIR: '/var/lib/svc',
    ROLES: 'gateway, worker',
    GATEWAY_PROCESSES: '1',
    DRAIN_SECONDS: '5',
    PORTAL_NICENESS: '3',
    NEXTAUTH_SECRET: 's'.repeat(32),
    TRUST_PROXY: '2, 127.0.0.1,10.0.0.0/8',
    SECURITY_CONTACT: 'mailto:security@example.com',
    SUPPORT_EMAIL: 'support@example.com',
    MAX_CONNECTIONS: '500',
    MAX_CONNECTIONS_PER_ADDRESS: '20',
    PAGES_PER_MINUTE: '300',
    LOG_LEVEL: 'warn',
    API_V1_DEPRECATION: '@1798761600',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    API_V1_SUNSET: 'Fri, 01 Jan 2027 00:00:00 GMT',
    GOOGLE_CLIENT_ID: 'google-id',
    GOOGLE_CLIENT_SECRET: 'google-secret',
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'id',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_NAME: 'Example',
    SMTP_URL: 'smtps://user:word@mail.example.com',
    MAIL_FROM: 'Savings Rates Data API <no-reply@example.com>',
  }
  expect(readEnv(variables)).toEqual({
    port: 8_080,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:8080',
    databaseUrl: 'postgresql://user:word@db.example.com:6432/svc',
    isPooled: true,
    directUrl: 'postgresql://user:word@db.example.com:5432/svc',
    replicaUrl: 'postgresql://user:word@replica.example.com:5432/svc',
    migrationUrl: 'postgresql://owner:word@db.example.com:5432/svc',
    requestLogDays: 400,
    dataDir: '/var/lib/svc',
    roles: new Set(['gateway', 'worker']),
    gatewayProcesses: 1,
    drainSeconds: 5,
    portalNiceness: 3,
    secret: 's'.repeat(32),
    trustProxy: new TrustedProxies(['127.0.0.1', '10.0.0.0/8'], 2),
    watch: { metricsToken: null, traces: null },
    webhooksAllowPrivate: true,
    securityContact: 'mailto:security@example.com',
    supportEmail: 'support@example.com',
    logLevel: 'warn',
    deprecation: '@1798761600',
    sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
    marketSources: [],
    providers: {
      google: { issuer: 'https://accounts.google.com', clientId: 'google-id', clientSecret: 'google-secret', label: 'Google' },
      oidc: { issuer: 'https://login.example.com', clientId: 'id', clientSecret: 'secret', label: 'Example' },
    },
    smtp: { url: 'smtps://user:word@mail.example.com', from: 'Savings Rates Data API <no-reply@example.com>' },
    payment: { stripeKey: null, stripeBase: null, webhookSecret: null, vat: null, fourEyesCredits: 1_000 },
    listener: { connections: 500, connectionsOfOne: 20, pagesPerMinute: 300 },
    developmentFeatures: true,
    isDevelopment: true,
  })
})

test('allows several gateways only with the gateway role, and not in development', () => {
  expect(readEnv({ GATEWAY_PROCESSES: '64' }).gatewayProcesses).toBe(64)
  expect(getFaults({ GATEWAY_PROCESSES: '2', ROLES: 'portal' })).toEqual(['GATEWAY_PROCESSES must be 1 unless ROLES includes gateway.'])
  expect(getFaults({ GATEWAY_PROCESSES: '2', NODE_ENV: 'development' })).toEqual(['GATEWAY_PROCESSES must be 1 when NODE_ENV is development.'])
  for (const text of ['0', '65', '1.5', 'all']) {
    expect(getFaults({ GATEWAY_PROCESSES: text })).toEqual(['GATEWAY_PROCESSES must be a number of processes from 1 to 64.'])
  }
  expect(getFaults({ DRAIN_SECONDS: '301' })).toEqual(['DRAIN_SECONDS must be a number of seconds from 0 to 300.'])
})

test('derives the public URL from the port', () => {
  expect(readEnv({ PORT: '4100' }).publicUrl).toBe('http://localhost:4100')
})

const unusable: [name: string, value: string, line: string][] = [
  ['DATABASE_POOLER', 'session', 'DATABASE_POOLER must be none or transaction.'],
  ['REQUEST_LOG_DAYS', '30', 'REQUEST_LOG_DAYS must be a number of days, 62 or more: the portal and statements read the last two months.'],
  ['PORT', 'http', 'PORT must be a port number.'],
  ['PORT', '-1', 'PORT must be a port number.'],
  ['PORT', '3000.5', 'PORT must be a port number.'],
  ['PORT', '65536', 'PORT must be a port number.'],
  ['PORT', '99999', 'PORT must be a port number.'],
  ['PUBLIC_URL', 'api.example.com', 'PUBLIC_URL must be an absolute URL such as https://api.example.com, without a path or trailing slash.'],
  ['PUBLIC_URL', 'https://api.example.com/', 'PUBLIC_URL must be an absolute URL such as https://api.example.com, without a path or trailing slash.'],
  ['DATABASE_URL', 'mysql://localhost/svc', 'DATABASE_URL must begin with postgresql://.'],
  ['GOOGLE_CLIENT_ID', 'id', 'GOOGLE_CLIENT_SECRET must be set as well, since GOOGLE_CLIENT_ID is.'],
  ['MAIL_FROM', 'a@example.com', 'SMTP_URL must be set as well, since MAIL_FROM is.'],
  ['NEXTAUTH_SECRET', 'short', 'NEXTAUTH_SECRET must have 32 characters or more.'],
  ...['true', '127.0.0.1,proxy', '10.0.0.0/33', '1,2,127.0.0.1', '0,127.0.0.1', '127.0.0.1,'].map((value): [string, string, string] => [
    'TRUST_PROXY',
    value,
    'TRUST_PROXY must be IP addresses or ranges of proxies separated by commas, such as 127.0.0.1,::1,10.0.0.0/8.',
  ]),
  ['TRUST_PROXY', '1', 'TRUST_PROXY must list the addresses of the proxies, such as 127.0.0.1,::1 or 1,10.0.0.0/8, because a number alone trusts any client.'],
  ...['0.0.0.0/0', '10.0.0.1,::/0', '::ffff:0.0.0.0/96', '128.0.0.0/1'].map((value): [string, string, string] => [
    'TRUST_PROXY',
    value,
    'TRUST_PROXY must not include every address: anyone could pretend to be any client.',
  ]),
  ['ADMIN_FOUR_EYES_CREDITS', '-1', 'ADMIN_FOUR_EYES_CREDITS must be a whole number of credits, such as 1000.'],
  ['SUPPORT_EMAIL', 'mailto:support@example.com', 'SUPPORT_EMAIL must be an email address such as support@example.com.'],
  ['ROLES', 'gateway,api', 'ROLES contains the unknown role "api"; valid roles: gateway, portal, worker.'],
  ...['2027-01-01', '1798761600', '@', '@-1', '@1.5', '@1798761600000', '@1798761600\r\nX: 1', 'true'].map((value): [string, string, string] => [
    'API_V1_DEPRECATION',
    value,
    'API_V1_DEPRECATION must be a time in seconds since 1970, such as @1798761600 for 1 January 2027.',
  ]),
  ...[
    'soon',
    'Invalid Date',
    '2027-01-01',
    '@1798761600',
    'Fri, 01 Jan 2027',
    'Fri, 1 Jan 2027 00:00:00 GMT',
    'Sat, 01 Jan 2027 00:00:00 GMT',
    'Wed, 31 Feb 2027 00:00:00 GMT',
    'Fri, 01 Jan 2027 00:00:00 +0000',
    'Fri, 01 Jan 2027 00:00:00 GMT\n',
  ].map((value): [string, string, string] => ['API_V1_SUNSET', value, 'API_V1_SUNSET must be an HTTP date, such as Fri, 01 Jan 2027 00:00:00 GMT.']),
]

test.each(unusable)('rejects %s=%s with one clear line', (name, value, line) => {
  expect(getFaults({ [name]: value })).toEqual([line])
})

test.each(['sk_test_1234', 'rk_test_1234'])('rejects %s in production, where test cards would buy real credits', (key) => {
  const line = 'STRIPE_SECRET_KEY must begin with sk_live_ or rk_live_ in production: test payments would give credits away.'
  expect(getFaults({ NODE_ENV: 'production', STRIPE_SECRET_KEY: key })).toEqual([line])
  expect(getFaults({ NODE_ENV: 'development', STRIPE_SECRET_KEY: key })).toEqual([])
  expect(getFaults({ NODE_ENV: 'production', STRIPE_SECRET_KEY: key.replace('test', 'live') })).toEqual([])
})

test('does not allow webhooks to private networks in production', () => {
  const line = 'WEBHOOKS_ALLOW_PRIVATE must not be set while NODE_ENV is production: webhooks could be sent to addresses in your own network.'
  expect(getFaults({ NODE_ENV: 'production', WEBHOOKS_ALLOW_PRIVATE: 'true' })).toEqual([line])
  expect(getFaults({ NODE_ENV: 'production', WEBHOOKS_ALLOW_PRIVATE: 'false' })).toEqual([])
  expect(getFaults({ WEBHOOKS_ALLOW_PRIVATE: 'true' })).toEqual([])
})

test('does not allow a sunset before the deprecation', () => {
  const [deprecated, ends] = ['@1798761600', 'Fri, 01 Jan 2027 00:00:00 GMT']
  expect(getFaults({ API_V1_DEPRECATION: deprecated, API_V1_SUNSET: ends })).toEqual([])
  expect(getFaults({ API_V1_DEPRECATION: '@1798761601', API_V1_SUNSET: ends })).toEqual([
    'API_V1_SUNSET must not be earlier than API_V1_DEPRECATION, which is Fri, 01 Jan 2027 00:00:01 GMT.',
  ])
})

test('reports each error on a separate line', () => {
  const faults = getFaults({ PORT: 'x', LOG_LEVEL: 'loud', TRUST_PROXY: 'x' })
  expect(faults).toHaveLength(3)
  expect(faults.map((line) => line.split(' ')[0])).toEqual(['PORT', 'TRUST_PROXY', 'LOG_LEVEL'])
  expect(faults.join()).not.toMatch(/undefined|\[object/)
})

test('requires a sender if an SMTP URL is set', () => {
  expect(getFaults({ SMTP_URL: 'http://mail.example.com' })).toEqual([
    'SMTP_URL must begin with smtp:// or smtps://.',
    'MAIL_FROM must be set as well, since SMTP_URL is.',
  ])
})

test('requires DATABASE_DIRECT_URL if a pooler is configured, and DATABASE_URL if a replica or migration URL is set', () => {
  const url = 'postgresql://user:word@db.example.com/svc'
  const why = 'must be set as well, since DATABASE_POOLER is'
  expect(getFaults({ DATABASE_URL: url, DATABASE_POOLER: 'transaction' })).toEqual([
    `DATABASE_DIRECT_URL ${why}: migrations and the command line connect to the server directly.`,
  ])
  expect(getFaults({ DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: url })).toContain(`DATABASE_URL ${why}.`)
  expect(getFaults({ DATABASE_REPLICA_URL: url })).toEqual(['DATABASE_URL must be set as well, since DATABASE_REPLICA_URL is.'])
  expect(getFaults({ DATABASE_MIGRATION_URL: url })).toEqual(['DATABASE_URL must be set as well, since DATABASE_MIGRATION_URL is.'])
  expect(getFaults({ DATABASE_URL: url, DATABASE_REPLICA_URL: 'replica' })).toEqual(['DATABASE_REPLICA_URL must begin with postgresql://.'])
  expect(readEnv({ DATABASE_URL: url, DATABASE_POOLER: 'none' }).isPooled).toBe(false)
})
