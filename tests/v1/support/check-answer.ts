import { expect } from 'vitest'
import type { ApiAnswer } from './fixture.ts'

/** Error table of the specification. */
const statusByCode: Record<string, number> = {
  invalid_request: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  insufficient_credits: 402,
  key_revoked: 403,
  account_blocked: 403,
  insufficient_scope: 403,
  ip_not_allowed: 403,
  licence_reacceptance_required: 403,
  sample_data_unavailable: 403,
  endpoint_restricted: 403,
  plan_upgrade_required: 403,
  not_found: 404,
  rate_limited: 429,
}

function checkError({ body, headers, status }: ApiAnswer): void {
  expect(statusByCode[body?.error], `${status} ${body?.error}`).toBe(status)
  expect(typeof body.message === 'string' && body.message.length > 10).toBe(true)
  expect(body.requestId).toMatch(/^req_[0-9a-f]{32}$/)
  expect(body.docs).toBe(`https://api.example.test/docs/errors/${body.error}`)
  expect(headers.get('x-svc-credits-charged')).toBe('0')
}

function checkSuccess({ body, headers }: ApiAnswer): void {
  expect(Object.keys(body)).toEqual(['data', 'meta'])
  expect(headers.get('x-svc-credits-charged')).toBe(String(body.meta.creditsCharged))
  expect(headers.get('x-svc-credits-balance')).toBe(String(body.meta.creditsBalance))
}

/** Asserts that a response is an envelope, a 304 or an error in the table. Returns the reported charge in credits. */
export function checkAnswer(answer: ApiAnswer): number {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) expect(answer.headers.get(name), name).toMatch(/^\d+$/)
  expect(answer.headers.get('x-svc-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
  if (answer.status === 304) expect(answer.text).toBe('')
  // Responses to HEAD have no body, and cost nothing.
  else if (answer.text === '') expect(answer.headers.get('x-svc-credits-charged')).toBe('0')
  else if (answer.status === 200) checkSuccess(answer)
  else checkError(answer)
  return Number(answer.headers.get('x-svc-credits-charged'))
}
