// Runs every check and every test, each to its end, and closes with one line that counts them all.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const report = join(tmpdir(), `svc-vitest-${process.pid}.json`)

const checks = [
  ['types', 'tsc', []],
  ['lint', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=50']],
  ['boundaries', 'depcruise', ['--config', '.dependency-cruiser.mjs', 'app', 'components', 'server', 'client', 'tests', 'e2e', 'bench']],
  ['dead code', 'knip', []],
]

/** Seconds that each part took, in the order in which they ended. */
const took = []

/**
 * Runs a command; resolves to whether it ended well. Its output goes to ours at once, or, where others run beside it, as a whole at its end: nobody can
 * read two outputs mixed.
 */
function run(name, command, args, { isBesideOthers = false } = {}) {
  if (!isBesideOthers) console.log(`\n== ${name}`)
  const since = performance.now()
  return new Promise((resolve) => {
    const child = spawn(join('node_modules', '.bin', command), args, { stdio: isBesideOthers ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
    const said = []
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => said.push(text))
    child.on('error', (error) => said.push(`${name} could not be started: ${error.message}\n`))
    child.on('close', (code) => {
      if (isBesideOthers) console.log(`\n== ${name}`)
      process.stdout.write(said.join(''))
      took.push(`${name} ${Math.round((performance.now() - since) / 1000)} s`)
      resolve(code === 0)
    })
  })
}

let passed = 0
let failed = 0
const failedChecks = []

/** Counts what a check found; one that failed is named at the end, because the top of a long log is often cut off. */
function count(name, good, bad) {
  passed += good
  failed += bad
  if (bad > 0) failedChecks.push(name)
}

const mostNamed = 20

/** The names of tests that failed, file by file, as far as they are worth reading. */
function nameFailed(testResults) {
  const names = testResults.flatMap(({ name, status, assertionResults = [] }) => {
    const file = relative(process.cwd(), name)
    const inside = assertionResults.filter((one) => one.status !== 'passed').map((one) => `${file}: ${one.fullName}`)
    return inside.length > 0 || status === 'passed' ? inside : [file]
  })
  for (const name of names.slice(0, mostNamed)) console.log(`  ${name}`)
  if (names.length > mostNamed) console.log(`  and ${names.length - mostNamed} more`)
}

/** As many as a small machine has processors: each check keeps one busy. */
const atATime = 2

const waiting = [...checks]
const ended = new Map()

/** Takes one check after the other, until none is left. */
async function work() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const [name, command, args] = check
    ended.set(name, await run(name, command, args, { isBesideOthers: true }))
  }
}

await Promise.all(Array.from({ length: atATime }, work))
for (const [name] of checks) count(name, Number(ended.get(name)), Number(!ended.get(name)))

const isGreen = await run('tests', 'vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)])
console.log(`\n${took.join(', ')}`)
try {
  const { numPassedTests, numFailedTests, numPendingTests, testResults = [] } = JSON.parse(readFileSync(report, 'utf8'))
  // A file that cannot be loaded, or an error outside any test, fails the run without a failed test. A skipped test is one that failed.
  const unnamed = Number(!isGreen && numFailedTests === 0)
  count('tests', numPassedTests, numFailedTests + numPendingTests + unnamed)
  console.log('')
  nameFailed(testResults)
} catch (error) {
  console.error(`The tests left no report: ${error.message}`)
  count('tests', 0, 1)
} finally {
  rmSync(report, { force: true })
}

console.log(failedChecks.length === 0 ? '' : `failed: ${failedChecks.join(', ')}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
