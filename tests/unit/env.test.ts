import { expect, test } from 'vitest'
import { EnvError, readEnv as readVariables } from '../../server/env.ts'

/** Next declares NODE_ENV as always there; here it need not be. */
const readEnv = (variables: Record<string, string>) => readVariables(variables as NodeJS.ProcessEnv)

const faultsOf = (variables: Record<string, string>): string[] => {
  try {
    readEnv(variables)
  } catch (error) {
    if (error instanceof EnvError) return error.message.split('\n')
    throw error
  }
  return []
}

test('nothing has to be set', () => {
  expect(readEnv({})).toEqual({
    port: 3_000,
    host: null,
    publicUrl: 'http://localhost:3000',
    databaseUrl: null,
    dataDir: '.data',
    roles: new Set(['gateway', 'portal', 'worker']),
    secret: null,
    trustProxy: 0,
    logLevel: 'info',
    deprecation: null,
    sunset: null,
    marketSources: [],
    isProduction: false,
    isDevelopment: false,
  })
})

test('an empty variable is one that is not set', () => {
  const empty = Object.fromEntries(
    ['PORT', 'HOST', 'PUBLIC_URL', 'DATABASE_URL', 'ROLES', 'NEXTAUTH_SECRET', 'TRUST_PROXY', 'API_V1_SUNSET'].map((name) => [name, '']),
  )
  expect(readEnv(empty)).toEqual(readEnv({}))
})

test('everything can be set', () => {
  const variables = {
    NODE_ENV: 'development',
    PORT: '8080',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://api.example.com',
    DATABASE_URL: 'postgresql://user:word@db.example.com:5432/svc',
    DATA_DIR: '/var/lib/svc',
    ROLES: 'gateway, worker',
    NEXTAUTH_SECRET: 's'.repeat(32),
    TRUST_PROXY: '2',
    LOG_LEVEL: 'warn',
    API_V1_DEPRECATION: '@1798761600',
    API_V1_SUNSET: 'Fri, 01 Jan 2027 00:00:00 GMT',
  }
  expect(readEnv(variables)).toEqual({
    port: 8_080,
    host: '127.0.0.1',
    publicUrl: 'https://api.example.com',
    databaseUrl: 'postgresql://user:word@db.example.com:5432/svc',
    dataDir: '/var/lib/svc',
    roles: new Set(['gateway', 'worker']),
    secret: 's'.repeat(32),
    trustProxy: 2,
    logLevel: 'warn',
    deprecation: '@1798761600',
    sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
    marketSources: [],
    isProduction: false,
    isDevelopment: true,
  })
})

test('the public address follows the port', () => {
  expect(readEnv({ PORT: '4100' }).publicUrl).toBe('http://localhost:4100')
})

test.each([
  ['PORT', 'http', 'PORT must be a port number.'],
  ['PORT', '-1', 'PORT must be a port number.'],
  ['PORT', '3000.5', 'PORT must be a port number.'],
  ['PORT', '65536', 'PORT must be a port number.'],
  ['PORT', '99999', 'PORT must be a port number.'],
  ['PUBLIC_URL', 'api.example.com', 'PUBLIC_URL must be an absolute address such as https://api.example.com, without a path or slash at the end.'],
  ['PUBLIC_URL', 'https://api.example.com/', 'PUBLIC_URL must be an absolute address such as https://api.example.com, without a path or slash at the end.'],
  ['DATABASE_URL', 'mysql://localhost/svc', 'DATABASE_URL must begin with postgresql://.'],
  ['NEXTAUTH_SECRET', 'short', 'NEXTAUTH_SECRET must have 32 characters or more.'],
  ['TRUST_PROXY', 'true', 'TRUST_PROXY must be the number of proxies in front, such as 1.'],
  ['ROLES', 'gateway,api', 'ROLES has the unknown role "api"; known: gateway, portal, worker.'],
  ['API_V1_DEPRECATION', '2027-01-01', 'API_V1_DEPRECATION must be a time such as @1798761600.'],
])('%s=%s is refused in one clear line', (name, value, line) => {
  expect(faultsOf({ [name]: value })).toEqual([line])
})

test('every fault has its line', () => {
  const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'loud', TRUST_PROXY: 'x' })
  expect(faults).toHaveLength(3)
  expect(faults.map((line) => line.split(' ')[0])).toEqual(['PORT', 'TRUST_PROXY', 'LOG_LEVEL'])
  expect(faults.join()).not.toMatch(/undefined|\[object/)
})
