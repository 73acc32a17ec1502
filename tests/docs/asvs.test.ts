import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asvsRequirements } from './support/asvs-requirements.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const section = page.slice(page.indexOf('\n## OWASP ASVS 5.0, level 2\n'))

const states = ['met', 'not met', 'not applicable'] as const

type Row = { readonly no: string; readonly requirement: string; readonly state: string; readonly evidence: string; readonly files: readonly string[] }

const getCells = (line: string) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim())

const rows = [...section.matchAll(/^\| \d+\.\d+\.\d+ .*$/gm)].map(([line]): Row => {
  const [no = '', requirement = '', state = '', evidence = '', ...more] = getCells(line)
  expect([no, more]).toEqual([no, []])
  const files = [...evidence.matchAll(/`((?:app|client|components|deploy|docs|e2e|prisma|scripts|server|tests)\/[\w./@[\]()-]+)`/g)].map(
    ([, file = '']) => file,
  )
  return { no, requirement, state, evidence, files }
})

const isTest = (file: string) => /^(?:tests\/.*\.test|e2e\/.*\.spec)\.ts$/.test(file)

/** Sections of the standard that require documentation. A page alone is sufficient evidence for them. */
const documentation = /^(?:2\.1|5\.1|6\.1|7\.1|8\.1|11\.1|13\.1|14\.1|15\.1|16\.1)\./

/** Requirements that are met but that a test cannot verify, because they forbid something or require a design choice in the code. */
const withoutTest: readonly string[] = ['6.2.10']

test('has one row for every requirement of levels 1 and 2, in order', () => {
  expect(asvsRequirements).toHaveLength(253)
  expect(rows.map(({ no }) => no)).toEqual(asvsRequirements)
})

test('every row has a requirement and one state', () => {
  for (const { no, requirement, state } of rows) {
    expect([no, requirement.length > 5]).toEqual([no, true])
    expect([no, states]).toEqual([no, expect.arrayContaining([state])])
  }
})

test('every file named as evidence exists', () => {
  for (const { no, files } of rows) expect([no, files.filter((file) => !existsSync(join(root, file)))]).toEqual([no, []])
})

test('every met requirement names a test, or another file if no test can verify it', () => {
  for (const { no, state, files } of rows) {
    if (state !== 'met') continue
    const isShown = documentation.test(no) || withoutTest.includes(no) ? files.length > 0 : files.some(isTest)
    expect([no, isShown]).toEqual([no, true])
  }
})

test('every unmet or inapplicable requirement has a reason', () => {
  for (const { no, state, evidence } of rows) if (state !== 'met') expect([no, evidence]).toEqual([no, expect.stringMatching(/^[A-Z`].{15,}\.$/)])
})

test('every docs/security.md section cited as evidence exists', () => {
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading)
  const named = rows.flatMap(({ evidence }) => [...evidence.matchAll(/`docs\/security\.md` \(([^)]+)\)/g)].map(([, heading = '']) => heading))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((heading) => !headings.includes(heading))).toEqual([])
})

test('the summary counts match the rows', () => {
  const count = (some: readonly Row[]) => states.map((state) => some.filter((row) => row.state === state).length)
  const [met = 0, notMet = 0, notApplicable = 0] = count(rows)
  const words = section.replace(/\s+/g, ' ')
  expect(words).toContain(`Of ${rows.length} requirements, ${met} are met, ${notMet} are not met and ${notApplicable} are not applicable.`)
  const stated = [...section.matchAll(/^\| V(\d+) .*$/gm)].map(([line, chapter = '']) => [chapter, ...getCells(line).slice(1).map(Number)])
  const chapters = [...new Set(rows.map(({ no }) => no.split('.')[0] ?? ''))]
  expect(stated).toEqual(chapters.map((chapter) => [chapter, ...count(rows.filter(({ no }) => no.startsWith(`${chapter}.`)))]))
})
