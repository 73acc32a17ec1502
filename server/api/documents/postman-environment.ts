import { productName } from '#server/api/contract/product-name.ts'
import { getId } from './stable-id.ts'

/** Returns the Postman environment for a test key, as text. With it, runs of the whole collection wait when the limit of the minute is used up. */
export function postmanEnvironment(publicUrl: string): string {
  const values = [
    { key: 'baseUrl', value: `${publicUrl}/v1`, type: 'default', enabled: true },
    { key: 'apiKey', value: '', type: 'secret', enabled: true },
    { key: 'waitForLimit', value: 'true', type: 'default', enabled: true },
  ]
  const name = `${productName}: test key`
  return `${JSON.stringify({ id: getId(name), name, values, _postman_variable_scope: 'environment' }, null, 2)}\n`
}
