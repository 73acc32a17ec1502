import type { Db, Transaction } from '#server/db/prisma.ts'

/** Notifies every process that API responses changed. Call it last in a transaction, because it locks a row that every other change needs. */
export async function bumpMarketVersion(tx: Transaction): Promise<number> {
  const data = { version: { increment: 1 }, marketVersion: { increment: 1 } }
  return (await tx.serviceState.update({ where: { id: 1 }, data, select: { marketVersion: true } })).marketVersion
}

/** Returns the market version: the number of changes to the market and the statistics so far. */
export async function currentVersion(db: Db): Promise<number> {
  return (await db.serviceState.findUniqueOrThrow({ where: { id: 1 }, select: { marketVersion: true } })).marketVersion
}
