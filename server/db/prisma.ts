import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool, PoolClient } from 'pg'
import { Prisma, PrismaClient } from './generated/client.ts'

type Sql = Pick<PoolClient, 'query'>

/** The database: Prisma's models for ordinary reads and writes, and the connection pool beneath them for the SQL of `*.sql.ts` files. */
export type Database = PrismaClient & Pool

/** A transaction that Prisma's models share with the SQL of `*.sql.ts` files. `inTransaction` opens it. */
export type Transaction = Prisma.TransactionClient & Sql & { readonly isTransaction: true }

/** The database or a transaction, for functions that work with both. */
export type Db = Prisma.TransactionClient & Sql

/** A transaction being opened, with the connection that Prisma took from the pool for it. Prisma doesn't expose the connection. */
export type Opening = { connection?: PoolClient; isReleased: boolean }
export const openings = new AsyncLocalStorage<Opening>()

const toProperty = (model: string) => `${model.charAt(0).toLowerCase()}${model.slice(1)}`

const models = Object.keys(Prisma.ModelName).map(toProperty)
const methods = ['$transaction', '$queryRaw', '$executeRaw'] as const

/** Adds Prisma's models to a pool, from which Prisma takes its connections. The client is created on first use. */
export function withPrisma(pool: Pool): Database {
  if ('$transaction' in pool) return pool as Database
  let client: PrismaClient | undefined
  const getClient = () => (client ??= new PrismaClient({ adapter: new PrismaPg(reportConnections(pool)), errorFormat: 'minimal' }))
  for (const name of models) Object.defineProperty(pool, name, { get: () => Reflect.get(getClient(), name) })
  for (const name of methods) Object.defineProperty(pool, name, { value: (...values: unknown[]) => Reflect.apply(getClient()[name], getClient(), values) })
  return pool as Database
}

/** Returns the pool with a `connect` that reports the connection to the transaction being opened. */
function reportConnections(pool: Pool): Pool {
  const connect = async () => {
    const connection = await pool.connect()
    const opening = openings.getStore()
    if (opening && !opening.connection) report(opening, connection)
    return connection
  }
  return new Proxy(pool, {
    get: (target, name) => {
      if (name === 'connect') return connect
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function report(opening: Opening, connection: PoolClient): void {
  const release = connection.release.bind(connection)
  opening.connection = connection
  connection.release = (error) => {
    opening.isReleased = true
    release(error)
  }
}
