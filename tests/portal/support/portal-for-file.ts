import { afterAll, beforeAll } from 'vitest'
import { PortalFixture } from './portal-fixture.ts'

/** Opens a test server before a file's tests and closes it after them. */
export function portalFixture(env?: Record<string, string>): PortalFixture {
  const fixture = new PortalFixture()
  beforeAll(() => fixture.open(env))
  afterAll(() => fixture.close())
  return fixture
}
