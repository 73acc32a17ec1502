/** One setup at a time: a file that names the process at work. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const limitMs = 30 * 60_000

/** Ends the setup with one line that says what to do. */
export class Fault extends Error {}

export const say = (line) => process.stderr.write(`${line}\n`)

/** When a process began, so that a number that now belongs to another process is not taken for it. */
const beganAt = (pid) => (process.platform === 'linux' ? (readTextOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[19] ?? '') : '')

function readTextOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // It is gone, which is the answer.
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

/** Two npm commands at once: the second waits and then finds everything done. The lock of a dead process counts for nothing. */
export async function withLock(file, work) {
  const mine = `${process.pid} ${beganAt(process.pid)}`
  mkdirSync(dirname(file), { recursive: true })
  for (const deadline = Date.now() + limitMs; ; ) {
    try {
      writeFileSync(file, mine, { flag: 'wx' })
      await sleep(30) // Somebody who found the same stale lock may have removed ours with it: then theirs stands.
      if (readTextOf(file) === mine) break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    await waitForOther(file, deadline)
  }
  try {
    await work()
  } finally {
    if (readTextOf(file) === mine) rmSync(file, { force: true })
  }
}

async function waitForOther(file, deadline) {
  const seen = readTextOf(file)
  const owner = seen.split(' ')
  if (seen === '') return sleep(100) // Being written, or just released.
  if (!isRunning(owner)) {
    if (readTextOf(file) === seen) rmSync(file, { force: true })
    return
  }
  say(`Another npm command is setting this up (pid ${owner[0]}); waiting for it ...`)
  while (isRunning(owner) && readTextOf(file) === seen) {
    if (Date.now() > deadline) throw new Fault(`The setup of process ${owner[0]} does not end: stop it (kill ${owner[0]}) and run the command again.`)
    await sleep(200)
  }
}
