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

/** Returns one file's part of a Vitest report, with one test in each of these states. */
const file = (name: string, status: string, ...states: readonly string[]) => ({
  name: join(folder, name),
  status,
  assertionResults: states.map((state, at) => ({ status: state, fullName: `test ${at}` })),
})

const green = () => ({ testResults: [file('tests/good.test.ts', 'passed', 'passed', 'passed', 'passed')] })

/** Returns a Playwright report with one test in each of these states. */
const browserReport = (states: readonly string[], errors: readonly object[] = []) => {
  const specs = states.map((status, at) => ({ file: 'keys.spec.ts', title: `journey ${at}`, tests: [{ status }] }))
  return { config: { rootDir: join(folder, 'e2e') }, errors, suites: [{ specs: specs.slice(0, 1), suites: [{ specs: specs.slice(1) }] }] }
}

/** Replaces a command with a stub that exits with this code and writes this report. */
async function put(name: string, code: number, report?: object): Promise<void> {
  const path = join(folder, 'node_modules/.bin', name)
  const write = `target="$PLAYWRIGHT_JSON_OUTPUT_FILE"\nfor word in "$@"; do case "$word" in --outputFile.json=*) target="\${word#*=}";; esac; done\n`
  await writeFile(path, `#!/bin/sh\n${report ? `${write}echo '${JSON.stringify(report)}' > "$target"\n` : ''}exit ${code}\n`)
  await chmod(path, 0o755)
}

/** Replaces the prose check, one of the project's own scripts. */
async function putProseCheck(code: number): Promise<void> {
  await mkdir(join(folder, 'scripts'), { recursive: true })
  await writeFile(join(folder, 'scripts/check-prose.mjs'), `process.exit(${code})\n`)
}

type Reports = { readonly vitest?: object | undefined; readonly playwright?: object | undefined }

/** Runs all checks with the stubs. Returns the exit code and the last lines of output, two by default. */
async function runChecks(codes: Readonly<Record<string, number>>, reports: Reports = {}, lines = 2): Promise<{ last: string[]; code: number }> {
  const written: Record<string, object | undefined> = { vitest: green(), playwright: browserReport(['expected', 'expected']), ...reports }
  for (const name of ['tsc', 'biome', 'depcruise', 'knip', 'vitest', 'playwright']) await put(name, codes[name] ?? 0, written[name])
  await putProseCheck(codes['prose'] ?? 0)
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { cwd: folder, timeout: 15_000 }, (error, stdout) => {
      resolve({ last: stdout.trimEnd().split('\n').slice(-lines), code: typeof error?.code === 'number' ? error.code : 0 })
    })
  })
}

test('prints only the counts if everything passed', async () => {
  const { last, code } = await runChecks({})
  expect(last).toEqual(['', '10 passed, 0 failed'])
  expect(code).toBe(0)
})

test('names failed checks just before the last line of output', async () => {
  const vitest = { testResults: [file('tests/bad.test.ts', 'failed', 'passed', 'failed', 'failed')] }
  const { last, code } = await runChecks({ biome: 1, knip: 1, prose: 1, vitest: 1 }, { vitest })
  expect(last).toEqual(['failed: lint, dead code, prose, tests', '5 passed, 5 failed'])
  expect(code).toBe(1)
})

test('lists the first failed tests of both runners, and test files that could not be loaded', async () => {
  const failing = Array<string>(23).fill('failed')
  const vitest = { testResults: [...green().testResults, file('tests/broken.test.ts', 'failed'), file('tests/bad.test.ts', 'failed', ...failing)] }
  const { last } = await runChecks({ vitest: 1 }, { vitest }, 24)
  expect(last.slice(0, 3)).toEqual(['', '  tests/broken.test.ts', '  tests/bad.test.ts: test 0'])
  expect(last.slice(-3)).toEqual(['  and 4 more', 'failed: tests', '10 passed, 24 failed'])

  const playwright = browserReport(['expected', 'unexpected'], [{ message: 'A file could not be loaded.' }])
  const { last: ofBrowser } = await runChecks({ playwright: 1 }, { playwright }, 5)
  expect(ofBrowser).toEqual(['', '  e2e/keys.spec.ts: journey 1', '  e2e', 'failed: browser tests', '9 passed, 2 failed'])
})

test.each([
  ['skipped tests', 'tests', '10 passed, 1 failed', {}, { vitest: () => [file('tests/good.test.ts', 'passed', 'passed', 'passed', 'passed', 'pending')] }],
  [
    'a file that could not be loaded',
    'tests',
    '10 passed, 1 failed',
    { vitest: 1 },
    { vitest: () => [...green().testResults, file('tests/a.test.ts', 'failed')] },
  ],
  ['an error outside tests', 'tests', '10 passed, 1 failed', { vitest: 1 }, { vitest: () => green().testResults }],
  ['no report of vitest', 'tests', '7 passed, 1 failed', { vitest: 1 }, { vitest: null }],
  ['skipped browser tests', 'browser tests', '9 passed, 1 failed', {}, { playwright: ['expected', 'skipped'] }],
  ['flaky browser tests', 'browser tests', '9 passed, 1 failed', {}, { playwright: ['expected', 'flaky'] }],
  ['a failed run of browser tests', 'browser tests', '9 passed, 1 failed', { playwright: 1 }, { playwright: ['expected'] }],
  ['no report of Playwright', 'browser tests', '8 passed, 1 failed', { playwright: 1 }, { playwright: null }],
] as const)(
  'counts %s as failed',
  async (_what, name, line, codes, { vitest, playwright }: { vitest?: (() => object[]) | null; playwright?: readonly string[] | null }) => {
    const reports = {
      ...(vitest === undefined ? {} : { vitest: vitest ? { testResults: vitest() } : undefined }),
      ...(playwright === undefined ? {} : { playwright: playwright ? browserReport(playwright) : undefined }),
    }
    expect((await runChecks(codes, reports)).last).toEqual([`failed: ${name}`, line])
  },
)

test('counts a missing command as a failed check', async () => {
  await put('tsc', 0)
  await putProseCheck(0)
  const ran = await new Promise<string>((resolve) => execFile(process.execPath, [script], { cwd: folder }, (_error, stdout) => resolve(stdout)))
  expect(ran.trimEnd().split('\n').slice(-2)).toEqual(['failed: lint, boundaries, dead code, tests, browser tests', '2 passed, 5 failed'])
})
