import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appRoutes } from '../../e2e/support/app-routes.ts'

const journeys = join(import.meta.dirname, '../../e2e')

/** Routes that a journey names where it looks at a page: `lookAt(page, '/sign-up', 'error')`, or a list in `'/docs': looks(…)`. */
const named = globSync('*.test.ts', { cwd: journeys }).flatMap((file) => {
  const text = readFileSync(join(journeys, file), 'utf8')
  return [...text.matchAll(/lookAt\([\w.]+, '([^']+)'|'([^']+)': looks\(/g)].map(([, route, listed]) => route ?? listed ?? '')
})

// That the page which is looked at is really the one that is named, `lookAt` itself makes sure of.
test('every page under app is looked at in a browser, on every screen and by axe', () => {
  expect(appRoutes.length).toBeGreaterThan(40)
  expect([...new Set(named)].sort()).toEqual(appRoutes)
})
