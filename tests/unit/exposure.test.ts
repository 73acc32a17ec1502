import { expect, test } from 'vitest'
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

test.each(['127.0.0.1', '127.8.0.1', '::1', '[::1]', 'localhost'])('enables development features with HOST=%s, but not in production', (host) => {
  expect(readEnv({ HOST: host }).developmentFeatures).toBe(true)
  expect(readEnv({ HOST: host, NODE_ENV: 'production' }).developmentFeatures).toBe(false)
})

test.each(['http://localhost:3000', 'http://127.0.0.1', 'https://[::1]:8443', 'http://LOCALHOST'])('allows a loopback PUBLIC_URL in development: %s', (url) => {
  expect(readEnv({ PUBLIC_URL: url }).developmentFeatures).toBe(true)
})

const reachable: [settings: Record<string, string>, names: string][] = [
  ...['0.0.0.0', '::', '192.0.2.2', 'db.internal', '0', '127.0.0.1.example.com'].map((host): [Record<string, string>, string] => [{ HOST: host }, 'HOST']),
  ...['https://api.example.com', 'http://localhost@api.example.com', 'http://localhost.example.com', 'http://10.0.0.5:3000'].map(
    (url): [Record<string, string>, string] => [{ PUBLIC_URL: url }, 'PUBLIC_URL'],
  ),
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://api.example.com' }, 'HOST and PUBLIC_URL'],
]

test.each(reachable)('rejects %j without production settings, with a one-sentence error', (settings, names) => {
  const line = `NODE_ENV must be production while ${names} can be reached from other machines; for development, leave ${names} unset.`
  for (const mode of ['', 'development', 'test', 'Production']) expect(getFaults({ ...settings, NODE_ENV: mode })).toEqual([line])
  expect(getFaults({ ...settings, NODE_ENV: 'production' })).toEqual([])
})

test('listens on loopback without HOST, even in production', () => {
  expect(readEnv({ NODE_ENV: 'production' }).host).toBeNull()
  expect(readEnv({ HOST: 'localhost' }).host).toBeNull()
})
