/** Measures a growing log and a growing table of keys, each relative to a small database that stays constant. */
import { join } from 'node:path'
import { verifyLedger } from '#server/billing/ledger.ts'
import { type BenchDatabase, openBenchDatabase, settle } from '../database.ts'
import { median } from '../figures.ts'
import { httpCall } from '../load/requests.ts'
import type { Subject } from '../measure.ts'
import { type Running, startOurs } from '../processes.ts'
import { compare, count, type Line, memoryMegabytes, type Size, type Table, timed } from './gauge.ts'
import { addAccounts, addKeys, addLog, logBytes, setKnownSecrets } from './growth.store.ts'

const accounts = 1_000
const keysInUse = 100
const keysOfAnAccount = 10
const firstUses = 200

type Place = { readonly database: BenchDatabase; readonly cleanUp: AsyncDisposableStack }

const toSubject = (running: Running, keys: readonly string[], database: BenchDatabase): Subject => ({
  running,
  request: httpCall,
  keys: { spread: keys, hot: keys.slice(0, 1) },
  database,
})

const gatewayOn = ({ url, dataDir }: BenchDatabase) => startOurs({ databaseUrl: url, dataDir, roles: 'gateway' })

/** Starts a gateway on a database with accounts that have one key each, including all keys that the load uses. */
async function smallPlace(scratch: string, name: string, cleanUp: AsyncDisposableStack): Promise<Subject> {
  const database = await openBenchDatabase(join(scratch, name))
  cleanUp.defer(() => database.stop())
  await addAccounts(database.pool, 1, accounts)
  await addKeys(database.pool, accounts, 1, accounts)
  const keys = await setKnownSecrets(database.pool, accounts, keysInUse)
  await settle(database.pool)
  const running = await gatewayOn(database)
  cleanUp.defer(() => running.stop())
  return toSubject(running, keys, database)
}

export async function logSeries(scratch: string, size: Size): Promise<Table> {
  await using cleanUp = new AsyncDisposableStack()
  const control = await smallPlace(scratch, 'log-control', cleanUp)
  const grown = await smallPlace(scratch, 'log', cleanUp)
  await compare([control, grown], { ...size, rounds: 1 })
  const lines: Line[] = []
  let rows = 0
  for (const next of size.logRows) {
    const pool = grown.database?.pool
    if (!pool) throw new Error('The log series needs a database.')
    const { ms } = await timed(() => addLog(pool, accounts, rows, next))
    rows = next
    await settle(pool)
    const [, compared] = await compare([control, grown], size)
    const verified = await timed(() => verifyLedger(pool))
    const bytes = await logBytes(pool)
    if (compared) lines.push({ size: count(next), ...compared, more: [count(bytes / 1_048_576), (verified.ms / 1000).toFixed(2), (ms / 1000).toFixed(0)] })
  }
  return { title: 'Rows of the request log', against: 'an empty log', columns: ['log MB', 'ledger verify s', 'filled in s'], lines }
}

/** Returns the latency of sequential calls in milliseconds: with keys new to the process, and with the same keys again. */
async function firstUse(running: Running, keys: readonly string[]): Promise<{ readonly first: number; readonly again: number }> {
  const round = async () => {
    const took: number[] = []
    for (const key of keys) {
      const call = () => fetch(`http://127.0.0.1:${running.ports[0]}/v1/ping`, { headers: { authorization: `Bearer ${key}` } })
      const { ms, result } = await timed(call)
      if (result.status !== 200) throw new Error(`A call returned ${result.status}.`)
      await result.arrayBuffer()
      took.push(ms)
    }
    return median(took) ?? 0
  }
  return { first: await round(), again: await round() }
}

/** Measures one size of the table of keys; the gateway is restarted to clear its key cache. */
async function keysLine(control: Subject, { database }: Place, keys: number, size: Size): Promise<Line | null> {
  const secrets = await setKnownSecrets(database.pool, keys, keysInUse + firstUses)
  await settle(database.pool)
  const running = await gatewayOn(database)
  try {
    const uses = await firstUse(running, secrets.slice(keysInUse))
    const subject = toSubject(running, secrets.slice(0, keysInUse), database)
    await compare([control, subject], { ...size, rounds: 1 })
    const [, compared] = await compare([control, subject], size)
    const more = [uses.first.toFixed(2), uses.again.toFixed(2), String(memoryMegabytes(running.pids) ?? '–')]
    return compared ? { size: count(keys), ...compared, more } : null
  } finally {
    await running.stop()
  }
}

export async function keysSeries(scratch: string, size: Size): Promise<Table> {
  await using cleanUp = new AsyncDisposableStack()
  const control = await smallPlace(scratch, 'keys-control', cleanUp)
  const database = await openBenchDatabase(join(scratch, 'keys'))
  cleanUp.defer(() => database.stop())
  const lines: Line[] = []
  let [haveAccounts, haveKeys] = [0, 0]
  for (const keys of size.keys) {
    const owners = keys / keysOfAnAccount
    await addAccounts(database.pool, haveAccounts + 1, owners)
    // Existing keys keep their accounts; new ones belong to new and old accounts.
    await addKeys(database.pool, owners, haveKeys + 1, keys)
    haveAccounts = owners
    haveKeys = keys
    const line = await keysLine(control, { database, cleanUp }, keys, size)
    if (line) lines.push(line)
  }
  const columns = ['first call of a key ms', 'its next ms', 'gateway MB']
  return { title: 'Keys, ten per account', against: `${count(accounts)} keys of as many accounts`, columns, lines }
}
