/**
 * Compares the service with other servers in one run on this machine. bench/README.md describes them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeKeys } from './accounts.ts'
import { cases, spreadOver } from './cases.ts'
import { type BenchDatabase, openBenchDatabase, settle } from './database.ts'
import { type Measured, measure } from './measure.ts'
import { type Options, readOptions } from './options.ts'
import { startOurs } from './processes.ts'
import { formatReport, machineName, type Report, toRows } from './report.ts'
import { type Started, startSubjects } from './subjects.ts'
import { checkTargets } from './targets.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Calls our service and returns the response body, which every rival then sends too. */
async function realAnswer(database: BenchDatabase, key: string): Promise<Buffer> {
  const running = await startOurs(database, 'gateway')
  const response = await fetch(`http://127.0.0.1:${running.port}/v1/rates?limit=10`, { headers: { authorization: `Bearer ${key}` } })
  if (response.status !== 200) throw new Error(`The service returned ${response.status}: ${await response.text()}`)
  const body = Buffer.from(await response.arrayBuffer())
  await running.stop()
  return body
}

type Result = { readonly measured: Measured; readonly missing: Started['missing']; readonly bodyBytes: number }

async function measureAll(scratch: string, options: Options): Promise<Result> {
  await using cleanUp = new AsyncDisposableStack()
  const database = await openBenchDatabase(join(scratch, 'main'))
  cleanUp.defer(() => database.stop())
  const spread = await makeKeys(database.pool, 'spread', spreadOver)
  const hot = await makeKeys(database.pool, 'hot', 1)
  const bodyFile = join(scratch, 'body.json')
  const body = await realAnswer(database, spread[0] ?? '')
  writeFileSync(bodyFile, body)
  await settle(database.pool)
  const { subjects, missing } = await startSubjects({ database, bodyFile, keys: { spread, hot }, cleanUp })
  const wanted = cases.filter(({ id }) => options.only.split(',').some((part) => id.includes(part)))
  const measured = await measure(wanted, subjects, options)
  return { measured, missing, bodyBytes: body.length }
}

function write(report: Report, isWhole: boolean): void {
  const folder = join(here, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${report.at.replaceAll(/[:.]/g, '-')}.json`), `${JSON.stringify(report, null, 2)}\n`)
  if (isWhole) writeFileSync(join(here, 'results.md'), formatReport(report))
}

export async function benchmark(args: readonly string[], signal: AbortSignal): Promise<void> {
  const options = readOptions(args, signal)
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  try {
    const { measured, missing, bodyBytes } = await measureAll(scratch, options)
    const report: Report = {
      at: new Date().toISOString(),
      machine: machineName(),
      rounds: options.rounds,
      secondsARound: options.seconds,
      bodyBytes,
      rows: toRows(cases, measured, missing),
      targets: checkTargets(measured),
      samples: Object.fromEntries(measured),
    }
    console.log(`\n${formatReport(report)}`)
    write(report, !options.quick && options.only === '')
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
