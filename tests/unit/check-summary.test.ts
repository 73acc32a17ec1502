import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/test.mjs')
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-checks-'))
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
})

afterEach(() => rm(folder, { recursive: true, force: true }))

type File = { name: string; status: string; assertionResults: { status: string; fullName: string }[] }
type Report = { numPassedTests: number; numFailedTests: number; numPendingTests: number; testResults?: File[] }

const green: Report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0 }

/** Replaces a command with a stub that exits with this code and writes this report. */
async function put(name: string, code: number, report?: Report): Promise<void> {
  const path = join(folder, 'node_modules/.bin', name)
  const leave = report ? `for word in "$@"; do case "$word" in --outputFile.json=*) echo '${JSON.stringify(report)}' > "\${word#*=}";; esac; done\n` : ''
  await writeFile(path, `#!/bin/sh\n${leave}exit ${code}\n`)
  await chmod(path, 0o755)
}

/** Replaces the prose check, which is a script of the project. */
async function putProseCheck(code: number): Promise<void> {
  await mkdir(join(folder, 'scripts'), { recursive: true })
  await writeFile(join(folder, 'scripts/check-prose.mjs'), `process.exit(${code})\n`)
}

/** Runs all checks with the stubs. Returns the last lines of output, two by default, and the exit code. */
async function runChecks(codes: Readonly<Record<string, number>>, report: Report | undefined, lines = 2): Promise<{ last: string[]; code: number }> {
  for (const name of ['tsc', 'biome', 'depcruise', 'knip', 'vitest']) await put(name, codes[name] ?? 0, name === 'vitest' ? report : undefined)
  await putProseCheck(codes['prose'] ?? 0)
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { cwd: folder, timeout: 15_000 }, (error, stdout) => {
      resolve({ last: stdout.trimEnd().split('\n').slice(-lines), code: typeof error?.code === 'number' ? error.code : 0 })
    })
  })
}

test('prints only the counts if everything passed', async () => {
  const { last, code } = await runChecks({}, green)
  expect(last).toEqual(['', '8 passed, 0 failed'])
  expect(code).toBe(0)
})

test('names failed checks just before the last line', async () => {
  const { last, code } = await runChecks({ biome: 1, knip: 1, prose: 1, vitest: 1 }, { ...green, numFailedTests: 2 })
  expect(last).toEqual(['failed: lint, dead code, prose, tests', '5 passed, 5 failed'])
  expect(code).toBe(1)
})

test('lists the first failed tests, and test files that could not be loaded', async () => {
  const failing = (count: number) => Array.from({ length: count }, (_, at) => ({ status: 'failed', fullName: `test ${at}` }))
  const testResults = [
    { name: join(folder, 'tests/good.test.ts'), status: 'passed', assertionResults: [{ status: 'passed', fullName: 'a test' }] },
    { name: join(folder, 'tests/broken.test.ts'), status: 'failed', assertionResults: [] },
    { name: join(folder, 'tests/bad.test.ts'), status: 'failed', assertionResults: failing(23) },
  ]
  const { last } = await runChecks({ vitest: 1 }, { ...green, numFailedTests: 23, testResults }, 24)
  expect(last.slice(0, 3)).toEqual(['', '  tests/broken.test.ts', '  tests/bad.test.ts: test 0'])
  expect(last.slice(-3)).toEqual(['  and 4 more', 'failed: tests', '8 passed, 23 failed'])
})

test.each([
  ['skipped tests', 0, { ...green, numPendingTests: 1 }, '8 passed, 1 failed'],
  ['a file that could not be loaded', 1, green, '8 passed, 1 failed'],
  ['no report', 1, undefined, '5 passed, 1 failed'],
])('counts %s as failed tests', async (_what, vitest, report, line) => {
  expect((await runChecks({ vitest }, report)).last).toEqual(['failed: tests', line])
})

test('counts a missing command as a failed check', async () => {
  await put('tsc', 0)
  await putProseCheck(0)
  const ran = await new Promise<string>((resolve) => execFile(process.execPath, [script], { cwd: folder }, (_error, stdout) => resolve(stdout)))
  expect(ran.trimEnd().split('\n').slice(-2)).toEqual(['failed: lint, boundaries, dead code, tests', '2 passed, 4 failed'])
})
