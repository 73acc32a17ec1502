import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { getCode, isDuplicate } from '#server/db/database-errors.ts'
import { inLongTransaction, inTransaction, isTimeUp, withDeadline } from '#server/db/transaction.ts'
import { makeAccount } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase({ max: 3 })

const readName = async (id: number) => (await database.pool.account.findUniqueOrThrow({ where: { id }, select: { name: true } })).name

test('Prisma and SQL share a transaction: both see its changes, other connections see none until it commits', async () => {
  const { id } = await makeAccount(database.pool)
  await inTransaction(database.pool, async (tx) => {
    await tx.query("UPDATE account SET name = 'first' WHERE id = $1", [id])
    expect(await tx.account.findUnique({ where: { id }, select: { name: true } })).toEqual({ name: 'first' })
    await tx.account.update({ where: { id }, data: { name: 'second' } })
    expect((await tx.query<{ name: string }>('SELECT name FROM account WHERE id = $1', [id])).rows).toEqual([{ name: 'second' }])
    expect(await readName(id)).toBe('')
  })
  expect(await readName(id)).toBe('second')
})

test('rolls back changes made through Prisma and SQL if the callback throws', async () => {
  const { id } = await makeAccount(database.pool)
  const work = inTransaction(database.pool, async (tx) => {
    await tx.query("UPDATE account SET name = 'first' WHERE id = $1", [id])
    await tx.account.update({ where: { id }, data: { purpose: 'changed' } })
    throw new Error('failed on purpose')
  })
  await expect(work).rejects.toThrow('failed on purpose')
  expect(await database.pool.account.findUniqueOrThrow({ where: { id }, select: { name: true, purpose: true } })).toEqual({ name: '', purpose: '' })
})

test('rejects statements after a transaction has ended, so that they can’t run outside it', async () => {
  const { id } = await makeAccount(database.pool)
  let late: Promise<unknown> = Promise.resolve()
  const early = inTransaction(database.pool, async (tx) => {
    late = sleep(50).then(() => tx.query("UPDATE account SET name = 'late' WHERE id = $1", [id]))
  })
  await early
  await expect(late).rejects.toThrow('The transaction has ended')
  expect(await readName(id)).toBe('')
})

test('rolls back a transaction that takes too long', async () => {
  const { id } = await makeAccount(database.pool)
  const work = inLongTransaction(database.pool, 10, async (tx) => {
    await tx.account.update({ where: { id }, data: { name: 'slow' } })
    await sleep(400)
    await tx.query("UPDATE account SET purpose = 'late' WHERE id = $1", [id])
  })
  await expect(work).rejects.toThrow('The transaction has ended')
  expect(await database.pool.account.findUniqueOrThrow({ where: { id }, select: { name: true, purpose: true } })).toEqual({ name: '', purpose: '' })
})

test('rolls back a transaction that is ready to commit only after the deadline, even if it waited for a connection', async () => {
  const { id } = await makeAccount(database.pool)
  const limited = withDeadline(database.pool, 200)
  const rename = (name: string) => inTransaction(limited, (tx) => tx.account.update({ where: { id }, data: { name } }))
  await rename('in time')
  const busy = Array.from({ length: 3 }, () => database.pool.query('SELECT pg_sleep(0.5)'))
  await expect(rename('too late')).rejects.toThrow()
  await Promise.all(busy)
  await expect(rename('much too late')).rejects.toThrow()
  expect(await readName(id)).toBe('in time')
})

test('returns every connection to the pool, including that of a broken transaction', async () => {
  const broken = inTransaction(database.pool, async (tx) => {
    await tx.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
    await tx.account.count()
  })
  await expect(broken).rejects.toThrow()
  await Promise.all(Array.from({ length: 12 }, () => inTransaction(database.pool, (tx) => tx.account.count())))
  expect(database.pool.idleCount).toBe(database.pool.totalCount)
})

test('concurrent transactions use separate connections', async () => {
  const pids = await Promise.all(
    Array.from({ length: 3 }, () =>
      inTransaction(database.pool, async (tx) => {
        const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        await sleep(50)
        const [own] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
        expect(own?.pid).toBe(rows[0]?.pid)
        return own?.pid
      }),
    ),
  )
  expect(new Set(pids).size).toBe(3)
})

test("Prisma errors have PostgreSQL's error codes", async () => {
  const { publicId } = await database.pool.account.create({ data: { publicId: 'acc_once', email: 'once@example.com' }, select: { publicId: true } })
  const again = await database.pool.account.create({ data: { publicId, email: 'again@example.com' } }).catch((error: unknown) => error)
  expect(isDuplicate(again)).toBe(true)
  const slow = await inLongTransaction(database.pool, 20, (tx) => tx.$queryRaw`SELECT pg_sleep(1)::text`).catch((error: unknown) => error)
  expect(isTimeUp(slow)).toBe(true)
  expect(getCode(slow)).toBe('57014')
})
