import { cache } from 'react'
import { found } from './or-null.ts'
import { portalCaller } from './portal-caller.ts'

/** An endpoint of whoever is signed in, asked for once for each page; null when there is none. */
export const webhookOf = cache(async (id: string) => found((await portalCaller()).webhooks.read({ id })))
