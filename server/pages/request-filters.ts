import { operations } from '#server/api/documents/catalogue.ts'
import { portalCaller } from './portal-caller.ts'

/** Returns the endpoints and the account's keys, to filter requests and usage by. */
export async function filterOptions() {
  const keys = await (await portalCaller()).keys.list()
  return {
    endpoints: [...operations.map(({ id, method, path }) => ({ value: id, name: `${method} ${path}` })), { value: 'unknown', name: 'Unknown path' }],
    keys: keys.map(({ id, name, hint }) => ({ value: id, name: name === '' ? hint : name })),
  }
}
