import { cache } from 'react'
import { found } from './or-null.ts'
import { portalCaller } from './portal-caller.ts'

/** Returns an endpoint of the current account, cached per request; null if it doesn't exist. */
export const getWebhook = cache(async (id: string) => found((await portalCaller()).webhooks.read({ id })))
