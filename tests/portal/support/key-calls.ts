import type { PortalStage } from './portal-stage.ts'
import { dataOf, type Page, type Visitor } from './visitor.ts'

type Typed = { mode?: string; name?: string; scopes?: string[]; addresses?: string; cap?: string; expires?: string }

const form = { mode: 'live', name: 'A key', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }

/** The key that a page shows. */
export const keyOn = (page: Page): string => /svc_(?:test|live)_[0-9A-Za-z]{36}/.exec(page.text)?.[0] ?? ''

/** Makes a key; what is not typed is that of a live key that reads rates. */
export const createKey = (visitor: Visitor, typed: Typed = {}) => visitor.call('keys.create', 'mutation', { ...form, ...typed })

export const listKeys = async (visitor: Visitor) => dataOf(await visitor.call('keys.list', 'query'))

/** What a call with a key of the stage's accounts comes to. */
export function callsAt(stage: PortalStage) {
  const rates = (key: string) => fetch(`${stage.origin}/v1/rates?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  return {
    rates,
    statusOf: async (key: string) => (await rates(key)).status,
    errorFor: async (key: string) => ((await (await rates(key)).json()) as { error: string }).error,
  }
}
