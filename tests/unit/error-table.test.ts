import { expect, test } from 'vitest'
import { errors } from '#server/api/contract/errors.ts'
import { verifies } from '../requirements/verifies.ts'

verifies('errors/email-not-verified-status', () => {
  expect(errors.email_not_verified.status).toBe(403)
  expect(errors.email_not_verified.when).toMatch(/^Portal only/)
})

verifies('errors/webhooks-not-enabled-status', () => {
  expect(errors.webhooks_not_enabled.status).toBe(403)
  expect(errors.webhooks_not_enabled.when).toMatch(/^Portal only/)
})

test('gives every code a unique number in the request log', () => {
  const numbers = Object.values(errors).map(({ no }) => no)
  expect(new Set(numbers).size).toBe(18)
  // The admission statement writes these numbers.
  const { invalid_request: invalid, insufficient_credits: poor, rate_limited: limited, internal_error: failed, replay_unavailable: gone } = errors
  expect([invalid.no, poor.no, limited.no, failed.no, gone.no]).toEqual([1, 4, 16, 17, 18])
})

test('has the codes and statuses of the specification, and replay_unavailable', () => {
  expect(Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status]))).toEqual({
    invalid_request: 400,
    missing_api_key: 401,
    invalid_api_key: 401,
    insufficient_credits: 402,
    key_revoked: 403,
    account_blocked: 403,
    insufficient_scope: 403,
    ip_not_allowed: 403,
    licence_reacceptance_required: 403,
    email_not_verified: 403,
    webhooks_not_enabled: 403,
    sample_data_unavailable: 403,
    endpoint_restricted: 403,
    plan_upgrade_required: 403,
    not_found: 404,
    replay_unavailable: 409,
    rate_limited: 429,
    internal_error: 500,
  })
})

test('explains when each code occurs and how to resolve it', () => {
  for (const [code, { when, message }] of Object.entries(errors)) {
    expect(when, code).toMatch(/^[A-Z].{15,}\.$/)
    expect(message, code).toMatch(/^[A-Z].{15,}\.$/)
  }
})
