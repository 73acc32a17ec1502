// Runs all checks and tests to completion, and ends with a line that counts the results.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

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
 * Runs a command and resolves to true if it succeeded. Prints its output immediately or, if other commands run at the same time, when the command ends, so that
 * outputs do not mix.
 */
function run(name, command, args, { isParallel = false, env = {} } = {}) {
  if (!isParallel) console.log(`\n== ${name}`)
  const since = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: isParallel ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
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

/** Returns the tests in a Vitest report. A file that could not be loaded counts as one failed test. */
const readVitest = ({ testResults }) =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.map((one) => ({ file: name, title: one.fullName, isPassed: one.status === 'passed' }))
    return status === 'passed' || tests.some(({ isPassed }) => !isPassed) ? tests : [...tests, { file: name, isPassed: false }]
  })

/** Returns the tests in a Playwright report. Errors outside tests count as one failed test. */
function readPlaywright({ config, suites, errors }) {
  const read = (suite) => [
    ...suite.specs.map(({ file, title, tests }) => ({ file: join(config.rootDir, file), title, isPassed: tests.every(({ status }) => status === 'expected') })),
    ...(suite.suites ?? []).flatMap(read),
  ]
  return [...suites.flatMap(read), ...(errors.length > 0 ? [{ file: config.rootDir, isPassed: false }] : [])]
}

const vitestReport = join(tmpdir(), `svc-vitest-${process.pid}.json`)
const playwrightReport = join(tmpdir(), `svc-playwright-${process.pid}.json`)

/** Test runners. They run in sequence, because each keeps all CPUs busy. */
const runners = [
  {
    name: 'tests',
    command: bin('vitest'),
    args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    report: vitestReport,
    read: readVitest,
  },
  {
    name: 'browser tests',
    command: bin('playwright'),
    args: ['test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    report: playwrightReport,
    read: readPlaywright,
  },
]

const failedTests = []

/** Runs a runner's tests and adds their results. Skipped tests count as failed, and a run that fails without a failed test counts as one failure. */
async function runTests({ name, command, args, env, report, read }) {
  const isGreen = await run(name, command, args, { env })
  try {
    const tests = read(JSON.parse(readFileSync(report, 'utf8')))
    const failures = tests.filter(({ isPassed }) => !isPassed)
    count(name, tests.length - failures.length, failures.length || Number(!isGreen))
    failedTests.push(...failures.map(({ file, title }) => `${relative(process.cwd(), file)}${title ? `: ${title}` : ''}`))
  } catch (error) {
    console.error(`${name} wrote no report: ${error.message}`)
    count(name, 0, 1)
  } finally {
    rmSync(report, { force: true })
  }
}

/** Number of checks that run in parallel: one per core of a small machine. */
const concurrency = 2

const waiting = [...checks]
const ended = new Map()

/** Runs pending checks until none are left. */
async function work() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const [name, command, args] = check
    ended.set(name, await run(name, command, args, { isParallel: true }))
  }
}

await Promise.all(Array.from({ length: concurrency }, work))
for (const [name] of checks) count(name, Number(ended.get(name)), Number(!ended.get(name)))

for (const runner of runners) await runTests(runner)

const maxNamed = 20

console.log(`\n${took.join(', ')}\n`)
for (const name of failedTests.slice(0, maxNamed)) console.log(`  ${name}`)
if (failedTests.length > maxNamed) console.log(`  and ${failedTests.length - maxNamed} more`)
console.log(failedChecks.length === 0 ? '' : `failed: ${failedChecks.join(', ')}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
