/** Log rotation of the embedded PostgreSQL: one file and its predecessor. */
import { randomUUID } from 'node:crypto'
import { copyFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { getCode, getMessage } from './database-errors.ts'
import type { Log } from './embedded-cluster.ts'

const limitBytes = 5_000_000
const checkIntervalMs = 3_600_000

async function isFull(file: string): Promise<boolean> {
  try {
    return (await stat(file)).size > limitBytes
  } catch (error) {
    if (getCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Rotates a full log before a server opens it. */
export async function rotateLog(logFile: string): Promise<void> {
  if (await isFull(logFile)) await rename(logFile, `${logFile}.1`)
}

/**
 * Rotates a full log while the server is writing to it. The server keeps its file open in append mode, so the file is copied and truncated. Every process that
 * uses the server does this; a process discards its copy if another one has just truncated the log.
 */
async function emptyLog(logFile: string): Promise<void> {
  if (!(await isFull(logFile))) return
  const copy = `${logFile}.${randomUUID()}`
  try {
    await copyFile(logFile, copy)
    if (!(await isFull(copy))) return
    await rename(copy, `${logFile}.1`)
    await truncate(logFile)
  } finally {
    await rm(copy, { force: true })
  }
}

/** Checks the log once an hour until the timer is cleared. */
export function turnLogOver(logFile: string, log: Log): NodeJS.Timeout {
  const logFailure = (error: unknown) => log(`cannot rotate the log of the embedded PostgreSQL: ${getMessage(error)}`)
  return setInterval(() => void emptyLog(logFile).catch(logFailure), checkIntervalMs).unref()
}
