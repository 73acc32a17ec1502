import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { citedIds } from './citations.ts'
import { areas, requirements } from './index.ts'
import type { Requirement } from './requirement.ts'

/** Headings of the specification, with their parent section. */
const specificationSections = [
  'SPEC What the service does',
  'SPEC Resources: Response envelope',
  'SPEC Resources: Savings product',
  'SPEC Resources: Logo fields',
  'SPEC Resources: Reference list items',
  'SPEC Resources: Account resource',
  'SPEC States: API key',
  'SPEC States: Account',
  'SPEC States: Webhook delivery',
  'SPEC Endpoints',
  'SPEC Endpoints: Common list rules',
  'SPEC Endpoints: Endpoint table',
  'SPEC Endpoints: GET /rates',
  'SPEC Endpoints: GET /rates/{sourceKey}',
  'SPEC Endpoints: GET /rates/{sourceKey}/link',
  'SPEC Endpoints: GET /reference/products',
  'SPEC Endpoints: GET /reference/providers',
  'SPEC Endpoints: GET /history',
  'SPEC Endpoints: Calculators and simulation',
  'SPEC Endpoints: Other GET endpoints',
  'SPEC Endpoints: Tool server',
  'SPEC Authentication',
  'SPEC Events',
  'SPEC Errors',
  'SPEC Limits',
  'SPEC Versioning',
]
const numberOfDecisions = 32
/** Parts of the portal's design, beyond the specification. */
const portalSections = ['PORTAL Pages', 'PORTAL Support', 'PORTAL Status', 'PORTAL Administration', 'PORTAL Speed', 'PORTAL Forms', 'PORTAL Teams']
const sections = [...specificationSections, ...portalSections, ...Array.from({ length: numberOfDecisions }, (_, n) => `DECISIONS ${n + 1}`)]

const root = join(import.meta.dirname, '../..')
const entries: [string, Requirement][] = Object.entries(requirements)

const filesIn = (folder: string, ending: string): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith(ending))
        .map((file) => join(folder, file))
    : []

/** Maps each cited id to the files that cite it. */
const readCitations = (): Map<string, string[]> => {
  const citations = new Map<string, string[]>()
  for (const file of [...filesIn('tests', '.test.ts'), ...filesIn('e2e', '.spec.ts')])
    for (const id of new Set(citedIds(readFileSync(join(root, file), 'utf8')))) citations.set(id, [...(citations.get(id) ?? []), file])
  return citations
}

const citations = readCitations()

const expectNone = (faults: string[], what: string) => {
  expect(faults, `${what} (${faults.length}):\n  ${faults.join('\n  ')}\n`).toHaveLength(0)
}

test('every cited id is in the manifest', () => {
  const known = new Set(entries.map(([id]) => id))
  const unknown = [...citations].filter(([id]) => !known.has(id)).map(([id, files]) => `${id} (${files.join(', ')})`)
  expectNone(unknown, 'Cited, but not in the manifest')
})

test('every non-deferred requirement is cited by a test', () => {
  const uncited = entries.filter(([id, { deferred }]) => deferred === undefined && !citations.has(id)).map(([id]) => id)
  expectNone(uncited, 'Not cited by any test; only literals in verifies(…) or cites(…) count')
})

test('no deferred requirement is cited', () => {
  const wrong = entries.filter(([id, { deferred }]) => deferred !== undefined && citations.has(id))
  expectNone(
    wrong.map(([id, { deferred }]) => `${id} (deferred to ${deferred}, cited in ${citations.get(id)?.join(', ')})`),
    'Tested, but still marked as deferred',
  )
})

test('no id is used twice', () => {
  const ids = Object.values(areas).flatMap((area) => Object.keys(area))
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at)
  expectNone(twice, 'Used in more than one area')
  expect(ids.toSorted(), 'areas and requirements list the same areas').toEqual(entries.map(([id]) => id).toSorted())
})

test('the index includes every requirements file', () => {
  const own = ['citations.ts', 'index.ts', 'requirement.ts', 'verifies.ts']
  const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts') && !own.includes(file))
  const collected = Object.keys(areas).map((area) => `${area.replace(/[A-Z]/g, (message) => `-${message.toLowerCase()}`)}.ts`)
  expect(files.toSorted()).toEqual(collected.toSorted())
})

test('every id has the form area/kebab-case-name', () => {
  const odd = entries.filter(([id]) => !/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/.test(id)).map(([id]) => id)
  expectNone(odd, 'Not of the form area/kebab-case-name')
})

test('every source is a section of the specification or of the portal design, or a decision', () => {
  const odd = entries.filter(([, { source }]) => !sections.includes(source)).map(([id, { source }]) => `${id} (${source})`)
  expectNone(odd, 'Neither a heading of the specification or the portal design nor a decision')
})

test('every section of the specification has a requirement', () => {
  const sources = new Set(entries.map(([, { source }]) => source))
  expectNone(
    specificationSections.filter((section) => !sources.has(section)),
    'Sections without a requirement',
  )
})

test('every behaviour is a unique sentence', () => {
  const behaviours = entries.map(([, { behaviour }]) => behaviour)
  expectNone(
    behaviours.filter((text, at) => behaviours.indexOf(text) !== at),
    'Duplicate',
  )
  expectNone(
    behaviours.filter((text) => !text.endsWith('.')),
    'Without a full stop',
  )
})
