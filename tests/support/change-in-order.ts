import type { Database } from '#server/db/prisma.ts'

/** Updates rows that the service may be updating at the same time. Locks them in order of id, as the service does, to avoid a deadlock. */
export const changeInOrder = (pool: Database, table: string, set: string, where: string) =>
  pool.query(`UPDATE ${table} w SET ${set} FROM (SELECT id FROM ${table} WHERE ${where} ORDER BY id FOR NO KEY UPDATE) l WHERE w.id = l.id`)
