/** The log of an embedded PostgreSQL, which is kept from growing without end: one file of it, and the one before. */
import { randomUUID } from 'node:crypto'
import { copyFile, rename, rm, stat, truncate } from 'node:fs/promises'
import type { Log } from './embedded-cluster.ts'
import { codeOf, messageOf } from './error-parts.ts'

const limitBytes = 5_000_000
const lookEveryMs = 3_600_000

async function isFull(file: string): Promise<boolean> {
  try {
    return (await stat(file)).size > limitBytes
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Puts a full log aside before a server opens it. */
export async function rotateLog(logFile: string): Promise<void> {
  if (await isFull(logFile)) await rename(logFile, `${logFile}.1`)
}

/**
 * Puts a full log aside beside the server that writes to it: the server keeps its file open, so it is copied and emptied. It is opened to append, so the
 * next line begins the file anew. Each user of the server looks for itself; whoever copied what another one has just emptied throws the copy away.
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

/** Looks at the log once an hour for as long as the process runs, or until the timer is cleared. */
export function turnLogOver(logFile: string, log: Log): NodeJS.Timeout {
  const told = (error: unknown) => log(`the log of the embedded PostgreSQL cannot be turned over: ${messageOf(error)}`)
  return setInterval(() => void emptyLog(logFile).catch(told), lookEveryMs).unref()
}
