import { startTemplate } from '../../tests/support/test-template.ts'

/** Starts the template database that is copied for each service. Returns the teardown function. */
export default async function setup(): Promise<() => Promise<void>> {
  const { stop } = await startTemplate()
  return stop
}
