import { expect, test } from 'vitest'
import { errors } from '../../server/contract/errors.ts'
import { verifies } from '../requirements/verifies.ts'

verifies('errors/email-not-verified-status', () => {
  expect(errors.email_not_verified.status).toBe(403)
  expect(errors.email_not_verified.when).toMatch(/^Portal only/)
})

verifies('errors/webhooks-not-enabled-status', () => {
  expect(errors.webhooks_not_enabled.status).toBe(403)
  expect(errors.webhooks_not_enabled.when).toMatch(/^Portal only/)
})

test('every code has a number of its own in the request log', () => {
  const numbers = Object.values(errors).map(({ no }) => no)
  expect(new Set(numbers).size).toBe(17)
  // The admission statement writes these three by number.
  expect([errors.invalid_request.no, errors.insufficient_credits.no, errors.rate_limited.no, errors.internal_error.no]).toEqual([1, 4, 16, 17])
})
