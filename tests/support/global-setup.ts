import { ServicePool } from './service-pool.ts'
import { startTemplate } from './test-template.ts'

/** Starts what test files share: the database template that they copy, and services that they borrow. Returns the teardown. */
export async function setup(): Promise<() => Promise<void>> {
  const template = await startTemplate()
  const keeper = await ServicePool.start(template.url)
  process.env['SVC_TEST_KEEPER_URL'] = keeper.url
  return async () => {
    await keeper.stop()
    await template.stop()
  }
}
