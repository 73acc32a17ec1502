import { startTemplate } from '../../tests/support/test-template.ts'

/** Starts the database whose copies the services use. Returns the teardown. */
export default async function setup(): Promise<() => Promise<void>> {
  const { stop } = await startTemplate()
  return stop
}
