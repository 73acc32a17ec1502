import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appRoutes } from '../../e2e/support/app-routes.ts'

const journeys = join(import.meta.dirname, '../../e2e')

/** Routes that e2e tests check, either with `lookAt(page, '/sign-up', 'error')` or in a list such as `'/docs': looks(…)`. */
const named = globSync('*.spec.ts', { cwd: journeys }).flatMap((file) => {
  const text = readFileSync(join(journeys, file), 'utf8')
  return [...text.matchAll(/lookAt\([\w.]+, '([^']+)'|'([^']+)': looks\(/g)].map(([, route, listed]) => route ?? listed ?? '')
})

// The test needn't check that each page belongs to its route, because `lookAt` does.
test('browser tests check every page under app, at every screen size and with axe', () => {
  expect(appRoutes.length).toBeGreaterThan(40)
  expect([...new Set(named)].sort()).toEqual(appRoutes)
})
