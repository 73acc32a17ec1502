import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool, PoolClient } from 'pg'
import { Prisma, PrismaClient } from './generated/client.ts'

type Sql = Pick<PoolClient, 'query'>

/** The database: Prisma's models for ordinary reads and writes, and the connection pool beneath them for the SQL of `*.sql.ts` files. */
export type Database = PrismaClient & Pool & { readonly openTransaction: OpenTransaction }

/** A transaction shared by Prisma's models and the SQL of `*.sql.ts` files. `inTransaction` opens it. */
export type Transaction = Prisma.TransactionClient & Sql & { readonly isTransaction: true }

/** The database or a transaction, for functions that work with both. */
export type Db = Prisma.TransactionClient & Sql

/** Opens a transaction of at most `timeoutMs`, and also passes its connection to `work`. Use the functions in `transaction.ts` instead. */
type OpenTransaction = <Result>(
  timeoutMs: number,
  work: (tx: Transaction, connection: PoolClient) => Promise<Result>,
  isolationLevel?: Prisma.TransactionIsolationLevel,
) => Promise<Result>

/** A transaction being opened, with the connection that Prisma took from the pool for it. Prisma doesn't expose the connection. */
type Opening = { connection?: PoolClient; isReleased: boolean }

const toProperty = (model: string) => `${model.charAt(0).toLowerCase()}${model.slice(1)}`

const models = Object.keys(Prisma.ModelName).map(toProperty)
const methods = ['$transaction', '$queryRaw', '$executeRaw'] as const

/** Maximum wait for a connection, in milliseconds. */
const maxWaitMs = 10_000

/** Adds Prisma's models to a pool, from which Prisma takes its connections. The client is created on first use. */
export function withPrisma(pool: Pool): Database {
  const openings = new AsyncLocalStorage<Opening>()
  let client: PrismaClient | undefined
  const getClient = () => (client ??= new PrismaClient({ adapter: new PrismaPg(reportConnections(pool, openings)), errorFormat: 'minimal' }))
  const openTransaction: OpenTransaction = (timeoutMs, work, isolationLevel) => {
    const opening: Opening = { isReleased: false }
    const run = async (tx: object) => {
      const { connection } = opening
      if (!connection) throw new Error('Prisma opened a transaction without taking a connection from the pool.')
      return work(withQuery(tx, opening, connection), connection)
    }
    // If no isolation level is given, Prisma doesn't set one, and PostgreSQL's default applies: read committed.
    const options = { maxWait: maxWaitMs, timeout: timeoutMs, ...(isolationLevel === undefined ? {} : { isolationLevel }) }
    return openings.run(opening, () => getClient().$transaction(run, options))
  }
  for (const name of models) Object.defineProperty(pool, name, { get: () => Reflect.get(getClient(), name) })
  for (const name of methods) Object.defineProperty(pool, name, { value: (...values: unknown[]) => Reflect.apply(getClient()[name], getClient(), values) })
  return Object.defineProperty(pool, 'openTransaction', { value: openTransaction }) as Database
}

/** Wraps the pool so that `connect` reports its connection to the transaction being opened. */
function reportConnections(pool: Pool, openings: AsyncLocalStorage<Opening>): Pool {
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

/** Adds SQL to Prisma's transaction. Throws if the transaction has ended, because its connection may already be in use elsewhere. */
function withQuery(tx: object, opening: Opening, connection: PoolClient): Transaction {
  const query = (...values: unknown[]): unknown => {
    if (opening.isReleased) throw new Error('The transaction has ended: it took too long and was rolled back, or a statement was not awaited.')
    return Reflect.apply(connection.query, connection, values)
  }
  return Object.create(tx, { query: { value: query }, isTransaction: { value: true } }) as Transaction
}
