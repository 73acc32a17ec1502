// Runs all checks and tests to completion, and ends with a line that counts the results.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const report = join(tmpdir(), `svc-vitest-${process.pid}.json`)

const bin = (name) => join('node_modules', '.bin', name)

const checks = [
  ['types', bin('tsc'), []],
  ['lint', bin('biome'), ['check', '--error-on-warnings', '--max-diagnostics=50']],
  ['boundaries', bin('depcruise'), ['--config', '.dependency-cruiser.mjs', 'app', 'components', 'server', 'client', 'tests', 'e2e', 'bench']],
  ['dead code', bin('knip'), []],
  ['prose', process.execPath, ['scripts/check-prose.mjs']],
]

/** Duration of each part in seconds, in order of completion. */
const took = []

/**
 * Runs a command and resolves to true if it succeeded. Prints its output immediately, or, if other commands run at the same time, all at once when it ends, so
 * that outputs do not mix.
 */
function run(name, command, args, { isParallel = false } = {}) {
  if (!isParallel) console.log(`\n== ${name}`)
  const since = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: isParallel ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
    const output = []
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => output.push(text))
    child.on('error', (error) => output.push(`Failed to start ${name}: ${error.message}\n`))
    child.on('close', (code) => {
      if (isParallel) console.log(`\n== ${name}`)
      process.stdout.write(output.join(''))
      took.push(`${name} ${Math.round((performance.now() - since) / 1000)} s`)
      resolve(code === 0)
    })
  })
}

let passed = 0
let failed = 0
const failedChecks = []

/** Adds the results of a check. Failed checks are listed at the end, because the top of a long log is often cut off. */
function count(name, good, bad) {
  passed += good
  failed += bad
  if (bad > 0) failedChecks.push(name)
}

const maxNamed = 20

/** Prints the names of failed tests by file, up to a maximum. */
function nameFailed(testResults) {
  const names = testResults.flatMap(({ name, status, assertionResults = [] }) => {
    const file = relative(process.cwd(), name)
    const inside = assertionResults.filter((one) => one.status !== 'passed').map((one) => `${file}: ${one.fullName}`)
    return inside.length > 0 || status === 'passed' ? inside : [file]
  })
  for (const name of names.slice(0, maxNamed)) console.log(`  ${name}`)
  if (names.length > maxNamed) console.log(`  and ${names.length - maxNamed} more`)
}

/** Number of checks that run in parallel: one per core of a small machine. */
const concurrency = 2

const waiting = [...checks]
const ended = new Map()

/** Runs waiting checks until none is left. */
async function work() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const [name, command, args] = check
    ended.set(name, await run(name, command, args, { isParallel: true }))
  }
}

await Promise.all(Array.from({ length: concurrency }, work))
for (const [name] of checks) count(name, Number(ended.get(name)), Number(!ended.get(name)))

const isGreen = await run('tests', bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)])
console.log(`\n${took.join(', ')}`)
try {
  const { numPassedTests, numFailedTests, numPendingTests, testResults = [] } = JSON.parse(readFileSync(report, 'utf8'))
  // A file that fails to load, or an error outside tests, fails the run even if no test failed. Skipped tests count as failed.
  const unnamed = Number(!isGreen && numFailedTests === 0)
  count('tests', numPassedTests, numFailedTests + numPendingTests + unnamed)
  console.log('')
  nameFailed(testResults)
} catch (error) {
  console.error(`The tests wrote no report: ${error.message}`)
  count('tests', 0, 1)
} finally {
  rmSync(report, { force: true })
}

console.log(failedChecks.length === 0 ? '' : `failed: ${failedChecks.join(', ')}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
