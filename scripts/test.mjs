// Runs every check and every test, each to its end, and closes with one line that counts them all.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const report = join(tmpdir(), `svc-vitest-${process.pid}.json`)

const checks = [
  ['types', 'tsc', []],
  ['lint', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=50']],
  ['boundaries', 'depcruise', ['--config', '.dependency-cruiser.mjs', 'app', 'components', 'server', 'tests', 'bench']],
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
const count = (isOk) => (isOk ? passed++ : failed++)

for (const [name, command, args] of checks) count(await run(name, command, args))

const isGreen = await run('tests', 'vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)])
try {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
  passed += numPassedTests
  failed += numFailedTests + numPendingTests
  if (numPendingTests > 0) console.error(`${numPendingTests} tests were skipped, which counts as failed.`)
  // A file that cannot be loaded, or an error outside any test, fails the run without a failed test.
  if (!isGreen && numFailedTests === 0) failed++
} catch (error) {
  console.error(`The tests left no report: ${error.message}`)
  failed++
} finally {
  rmSync(report, { force: true })
}

console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
