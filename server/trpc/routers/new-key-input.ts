import { z } from 'zod'

/** Form values of a new key. server/keys validates them. */
export const NewKey = z.object({
  mode: z.string().max(10),
  name: z.string().max(1_000),
  scopes: z.array(z.string().max(40)).max(20),
  addresses: z.string().max(10_000),
  cap: z.string().max(20),
  expires: z.string().max(20),
})
