import type { Stage } from './stage.ts'

/** A call that is answered with 200, and what kind of `data` it has. */
export type LaunchedCall = { readonly path: string; readonly kind: 'item' | 'list' }

/** Every endpoint that is launched, called in the simplest way. */
export async function launchedCalls(stage: Stage, dataset: 'live' | 'sample' = 'live'): Promise<LaunchedCall[]> {
  const product = await stage.productKey(dataset)
  return [
    { path: '/ping', kind: 'item' },
    { path: '/me', kind: 'item' },
    { path: '/rates?limit=3', kind: 'list' },
    { path: `/rates/${product}`, kind: 'item' },
    { path: `/rates/${product}/link`, kind: 'item' },
    { path: '/reference/products', kind: 'list' },
    { path: '/reference/providers', kind: 'list' },
    { path: '/reference/cards', kind: 'list' },
    { path: '/reference/currencies', kind: 'list' },
    { path: '/reference/account-types', kind: 'list' },
    { path: '/reference/fscs', kind: 'list' },
  ]
}
