import type { Pool } from 'pg'

/**
 * Changes rows of a table that the service may be at in the same moment: like the service one after the other by id, so that neither waits for the other
 * in a ring.
 */
export const changeInOrder = (pool: Pool, table: string, set: string, where: string) =>
  pool.query(`UPDATE ${table} w SET ${set} FROM (SELECT id FROM ${table} WHERE ${where} ORDER BY id FOR NO KEY UPDATE) l WHERE w.id = l.id`)
