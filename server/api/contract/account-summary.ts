import { z } from 'zod'
import { planNames } from './access.ts'

const CatalogueRow = z.object({
  method: z.string().describe('HTTP method.'),
  path: z.string().describe('Path after `/v1`, with parameters in braces.'),
  scope: z.string().describe('Scope required by the endpoint, or any-key.'),
  cost: z.string().describe('Price in plain English.'),
  availability: z.enum(['open', 'test-only', 'coming-soon']).describe('Keys that can call the endpoint: all, test keys only, or none yet.'),
  callable: z.boolean().describe('True if this key can call the endpoint now.'),
  reason: z.string().nullable().describe('Error code that a call would return, or null.'),
})

/** Schema of `data` in the `/me` response: the calling account and key, and every endpoint with its availability to this key. */
export const AccountSummary = z.object({
  account: z
    .object({
      id: z.string().describe('ID of the account, to quote to support.'),
      name: z.string().describe('Name chosen by the owner.'),
      status: z.string().describe('`open` (approved), `review` (not approved) or `blocked`.'),
      plan: z.enum(planNames).describe('Plan, which determines the limits and the endpoints available to live keys.'),
    })
    .describe('Account that the key belongs to.'),
  key: z
    .object({
      id: z.string().describe('ID of the key, as in the portal and the request log.'),
      mode: z.enum(['test', 'live']).describe('Test keys read sample data and are free; live keys read live data.'),
      prefix: z.string().describe('Key as shown in lists: mode and last four characters.'),
      scopes: z.array(z.string()).describe('Scopes of the key.'),
      ipAllowList: z.array(z.string()).describe('IP addresses and ranges that can use the key; empty allows all.'),
      createdAt: z.iso.datetime().describe('Time of creation, UTC.'),
      expiresAt: z.iso.datetime().nullable().describe('Time of expiry, UTC; null if the key does not expire.'),
    })
    .describe('Key used for this request.'),
  balance: z.object({ credits: z.int().describe('Current balance in credits, exact.') }).describe('Balance of the account.'),
  rateLimits: z
    .object({
      perMinute: z.int().describe('Requests per UTC minute for this key.'),
      perDay: z.int().nullable().describe('Live requests per UTC day for the account; null for a test key, which has no daily limit.'),
    })
    .describe('Rate limits of this key.'),
  usage: z
    .object({
      asOf: z.iso.datetime().describe('Time up to which requestsToday and creditsToday are complete.'),
      requestsToday: z.int().describe('Requests made with all keys of the account today (UTC), excluding rate-limited ones.'),
      creditsToday: z.int().describe('Credits charged for requests made with all keys of the account today (UTC).'),
      remainingToday: z.int().nullable().describe('Live requests that the account has left today (UTC), exact; null for a test key.'),
    })
    .describe('Usage of the account today.'),
  endpoints: z.array(CatalogueRow).describe('All endpoints, and whether this key can call them.'),
})

export type AccountSummary = z.output<typeof AccountSummary>

/** Balance and usage of an account. Counts for the current UTC day are as of `asOf`; the balance and the remaining daily quota are exact. */
export type UsageSummary = {
  readonly balanceCredits: number
  readonly asOf: string
  readonly requestsToday: number
  readonly creditsToday: number
  readonly dayUsed: number
}
