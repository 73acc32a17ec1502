import type { Db } from '#server/db/prisma.ts'
import type { NewestPosition } from './deliveries.sql.ts'

/** Writes the cursor of a list, which contains no internal id. */
export const toCursor = ({ publicId, createdAt }: { readonly publicId: string; readonly createdAt: Date }): string => `${publicId}.${createdAt.getTime()}`

const cursorForm = /^(dlv_\w{1,64})\.(\d{1,15})$/

/**
 * Returns the position of a cursor. Cursors of older releases are internal ids. If the delivery has been deleted, the list continues after the time it was
 * created.
 */
export async function readCursor(db: Db, accountId: number, cursor: string | null): Promise<NewestPosition> {
  if (cursor === null) return { id: null, createdAt: null }
  const [, publicId, ms] = cursorForm.exec(cursor) ?? []
  if (publicId === undefined) return { id: /^\d{1,18}$/.test(cursor) ? BigInt(cursor) : 0n, createdAt: null }
  const found = await db.webhookDelivery.findFirst({ where: { publicId, accountId }, select: { id: true } })
  return found ? { id: found.id, createdAt: null } : { id: null, createdAt: new Date(Number(ms)) }
}
