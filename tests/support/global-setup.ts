import { ServicePool } from './service-pool.ts'
import { startTemplate } from './test-template.ts'

/** Starts the resources that test files share: a database template to copy and a pool of services to borrow. Returns the teardown. */
export async function setup(): Promise<() => Promise<void>> {
  const template = await startTemplate()
  const keeper = await ServicePool.start(template.url)
  process.env['SVC_TEST_KEEPER_URL'] = keeper.url
  return async () => {
    await keeper.stop()
    await template.stop()
  }
}
