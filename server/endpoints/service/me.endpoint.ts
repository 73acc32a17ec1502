import { z } from 'zod'
import { planNames } from '../../contract/plans.ts'
import { free } from '../../contract/prices.ts'
import { defineItem } from '../define.ts'

const CatalogueRow = z.object({
  method: z.string().describe('HTTP method.'),
  path: z.string().describe('Path under the version, with its parameters between braces.'),
  scope: z.string().describe('Scope that the call needs, or any-key.'),
  cost: z.string().describe('Price in words.'),
  availability: z.enum(['open', 'test-only', 'coming-soon']).describe('Which keys it answers: all, test keys only, or none yet.'),
  callable: z.boolean().describe('Whether this key can call it now.'),
  reason: z.string().nullable().describe('The error code that a call would get, or null.'),
})

const Me = z.object({
  account: z
    .object({
      id: z.string().describe('Id of the account, to quote to support.'),
      name: z.string().describe('Name that the owner gave it.'),
      status: z.string().describe('review until the account is approved, then open; or blocked.'),
      plan: z.enum(planNames).describe('Plan, which decides limits and what live keys can call.'),
    })
    .describe('The account that the key belongs to.'),
  key: z
    .object({
      id: z.string().describe('Id of the key, as the portal and the request log name it.'),
      mode: z.enum(['test', 'live']).describe('Test keys read sample data and are free; live keys read live data.'),
      prefix: z.string().describe('The key as lists show it: mode and last four characters.'),
      scopes: z.array(z.string()).describe('Scopes that the key was made with.'),
      ipAllowList: z.array(z.string()).describe('Addresses and ranges that may use the key; empty: all.'),
      createdAt: z.iso.datetime().describe('When it was made, UTC.'),
      expiresAt: z.iso.datetime().nullable().describe('When it stops to work, UTC; null without an end.'),
    })
    .describe('The key of this call.'),
  balance: z.object({ credits: z.int().describe('Service credits, exact.') }).describe('What the account has left.'),
  rateLimits: z
    .object({
      perMinute: z.int().describe('Requests a UTC minute for this key.'),
      perDay: z.int().nullable().describe('Live requests a UTC day for the account; null for a test key, which has no daily limit.'),
    })
    .describe('Limits in force for this key.'),
  usage: z
    .object({
      asOf: z.iso.datetime().describe('The moment up to which requestsToday and creditsToday are complete.'),
      requestsToday: z.int().describe('Requests of all keys of the account in this UTC day, without those over a limit.'),
      creditsToday: z.int().describe('Credits spent in this UTC day.'),
      remainingToday: z.int().nullable().describe('Live requests left in this UTC day, exact; null for a test key.'),
    })
    .describe('What the account did today.'),
  endpoints: z.array(CatalogueRow).describe('Every endpoint, with whether this key can call it.'),
})

export const me = defineItem({
  id: 'service.me',
  no: 2,
  path: '/me',
  tool: 'me',
  summary: 'Read the account, its balance, limits and usage, and what this key can call.',
  when: 'to see the balance, the limits and what this key can call, before calls that cost something.',
  scope: 'any-key',
  price: free,
  live: 'open',
  shared: false,
  input: z.object({}),
  output: Me,
  handle: async (_input, context) => {
    const { account, key, limits, usage, endpoints } = await context.account()
    const { hint, ...shown } = key
    const isLive = key.mode === 'live'
    return {
      account,
      key: { ...shown, prefix: hint, scopes: [...key.scopes], ipAllowList: [...key.ipAllowList] },
      balance: { credits: usage.balanceCredits },
      rateLimits: { perMinute: limits.perMinute, perDay: isLive ? limits.perDay : null },
      usage: {
        asOf: usage.asOf,
        requestsToday: usage.requestsToday,
        creditsToday: usage.creditsToday,
        // This call is counted when it is admitted, which comes after this was read.
        remainingToday: isLive ? Math.max(0, limits.perDay - usage.dayUsed - 1) : null,
      },
      endpoints: [...endpoints],
    }
  },
})
