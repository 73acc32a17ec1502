/** Lock file that allows only one setup at a time. It contains the process id and the start time of its owner. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const limitMs = 30 * 60_000

/** Error that ends the setup with a one-line message for the user. */
export class Fault extends Error {}

export const say = (line) => process.stderr.write(`${line}\n`)

/** Returns the start time of a process, to detect a reused process id. */
const beganAt = (pid) => (process.platform === 'linux' ? (readText(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[19] ?? '') : '')

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // The process or file no longer exists.
  }
}

function isRunning([pid, began]) {
  try {
    process.kill(Number(pid), 0)
    return beganAt(pid) === began
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Runs `work` under the lock. A second npm command waits, and then finds the setup complete. Removes stale locks left by dead processes. */
export async function withLock(file, work) {
  const mine = `${process.pid} ${beganAt(process.pid)}`
  mkdirSync(dirname(file), { recursive: true })
  for (const deadline = Date.now() + limitMs; ; ) {
    try {
      writeFileSync(file, mine, { flag: 'wx' })
      await sleep(30) // Another process may have found the same stale lock, then removed ours instead and written its own.
      if (readText(file) === mine) break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    await waitForOther(file, deadline)
  }
  try {
    await work()
  } finally {
    if (readText(file) === mine) rmSync(file, { force: true })
  }
}

async function waitForOther(file, deadline) {
  const seen = readText(file)
  const owner = seen.split(' ')
  if (seen === '') return sleep(100) // The lock is being written or was just released.
  if (!isRunning(owner)) {
    if (readText(file) === seen) rmSync(file, { force: true })
    return
  }
  say(`Waiting for another npm command to finish the setup (pid ${owner[0]}) ...`)
  while (isRunning(owner) && readText(file) === seen) {
    if (Date.now() > deadline) throw new Fault(`Setup (pid ${owner[0]}) is stuck. Kill it and retry.`)
    await sleep(200)
  }
}
