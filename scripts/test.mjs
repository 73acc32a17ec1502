// Runs every check and every test, each to its end, and closes with one line that counts them all.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const report = join(tmpdir(), `svc-vitest-${process.pid}.json`)

const checks = [
  ['types', 'tsc', []],
  ['lint', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=50']],
  ['boundaries', 'depcruise', ['--config', '.dependency-cruiser.mjs', 'app', 'components', 'server', 'tests', 'e2e', 'bench']],
  ['dead code', 'knip', []],
]

/** Runs a command with its output on ours; resolves to whether it ended well. */
function run(name, command, args) {
  console.log(`\n== ${name}`)
  return new Promise((resolve) => {
    const child = spawn(join('node_modules', '.bin', command), args, { stdio: 'inherit' })
    child.on('error', (error) => {
      console.error(`${name} could not be started: ${error.message}`)
      resolve(false)
    })
    child.on('exit', (code) => resolve(code === 0))
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

for (const [name, command, args] of checks) {
  const isOk = await run(name, command, args)
  count(name, Number(isOk), Number(!isOk))
}

const isGreen = await run('tests', 'vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)])
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
