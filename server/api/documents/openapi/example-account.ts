import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import { getLimits, starterCredits, testKeyPerMinute } from '#server/api/contract/plans.ts'
import { describePrice } from '#server/api/contract/prices.ts'
import { describeScope, scopeNames } from '#server/api/contract/scopes.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { availabilityNow } from '../catalogue.ts'
import type { PublishedValues } from '../published-values.ts'

/** Fixed time of all examples, so that documents don't change daily. */
export const exampleMoment = '2026-11-21T09:30:00.000Z'

/** Returns the example of `/me` for an account with a test key. */
export function exampleAccount({ overrides }: PublishedValues): AccountSummary {
  const endpoints = registry.map((entry) => {
    const availability = availabilityNow(entry, overrides)
    const callable = availability !== 'coming-soon'
    const { method, path, scope, price } = entry
    return { method, path, scope: describeScope(scope), cost: describePrice(price), availability, callable, reason: callable ? null : 'not_found' }
  })
  return {
    account: { id: 'acc_4Fzq8LmT0aWc2XyP', name: 'Example Ltd', status: 'open', plan: 'hobby' },
    key: {
      id: 'key_7Hd2KsVb9QeR1ZtN',
      mode: 'test',
      hint: 'svc_test_…x7Qa',
      scopes: scopeNames,
      ipAllowList: [],
      createdAt: exampleMoment,
      expiresAt: null,
    },
    limits: { ...getLimits('hobby', { perMinute: null, perDay: null }), perMinute: testKeyPerMinute },
    usage: { balanceCredits: starterCredits, asOf: exampleMoment, requestsToday: 1, creditsToday: 0, dayUsed: 0 },
    endpoints,
  }
}
