import { expect, test } from 'vitest'
import { EnvError, readEnv } from '#server/env.ts'

function getFaults(variables: Record<string, string>): string[] {
  try {
    readEnv(variables as unknown as NodeJS.ProcessEnv)
    return []
  } catch (error) {
    if (error instanceof EnvError) return error.message.split('\n')
    throw error
  }
}

test('accepts several hosts in a database URL, all of which must be hosts of the primary', () => {
  const url = 'postgresql://user:word@db1.example.com:5432,db2.example.com:5432/svc'
  const pooled = { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: url }
  for (const good of [url, `${url}?target_session_attrs=read-write`, `${url}?sslmode=verify-full&target_session_attrs=primary`]) {
    expect(readEnv({ DATABASE_URL: good, DATABASE_MIGRATION_URL: good } as unknown as NodeJS.ProcessEnv).databaseUrl).toBe(good)
  }
  expect(getFaults({ DATABASE_URL: `${url}?target_session_attrs=any` })).toEqual([
    'DATABASE_URL must have target_session_attrs=read-write or omit it: the service only works with the primary server.',
  ])
  const unusable = ['DATABASE_URL must be a URL, such as postgresql://user:password@db1:5432,db2:5432/svc.']
  expect(getFaults({ DATABASE_URL: 'postgresql://user@db1,/svc' })).toEqual(unusable)
  expect(getFaults({ DATABASE_URL: 'postgresql://user@db1:port,db2:5432/svc' })).toEqual(unusable)
  expect(getFaults({ DATABASE_URL: url, DATABASE_REPLICA_URL: url })).toEqual(['DATABASE_REPLICA_URL must have only one host.'])
  expect(getFaults({ DATABASE_URL: url, DATABASE_REPLICA_URL: 'postgresql://user@db3/svc?target_session_attrs=read-write' })).toEqual([
    "DATABASE_REPLICA_URL must not have target_session_attrs: a replica doesn't accept writes.",
  ])
  const misplaced = [
    'DATABASE_URL must list several hosts before the database name, as in postgresql://user:password@db1:5432,db2:5432/svc, not in the parameters host and port.',
  ]
  for (const query of ['host=db1,db2', 'port=5432,5433']) expect(getFaults({ DATABASE_URL: `postgresql:///svc?${query}` })).toEqual(misplaced)
  expect(getFaults({ DATABASE_URL: `${url}?host=db1` })).toEqual(misplaced)
  expect(getFaults({ DATABASE_URL: 'postgresql:///svc?host=/run/postgresql&port=5433' })).toEqual([])
  expect(getFaults({ ...pooled, DATABASE_URL: url })).toEqual([
    'DATABASE_URL must have only one host, because DATABASE_POOLER is set: the pooler chooses the server.',
  ])
})
