import type { Sample } from '#components/portal/webhooks/webhook-detail.tsx'
import type { EventType } from '#server/api/contract/events.ts'
import { portalCaller } from './portal-caller.ts'

/** Returns an example payload of each of these events, from the sample data. */
export async function getSamples(types: readonly EventType[]): Promise<Sample[]> {
  const { webhooks } = await portalCaller()
  return Promise.all(types.map(async (type) => ({ type, data: await webhooks.sample({ type }) })))
}
