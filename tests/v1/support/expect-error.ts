import { expect } from 'vitest'
import type { ApiAnswer } from './fixture.ts'

const commonKeys = ['error', 'message', 'requestId', 'docs']

/**
 * Expects an error that matches the contract exactly: status, code, the four common fields plus `extra`, the headers, no charge. `hasKey` is true if the call
 * had a valid key, in which case the balance is returned.
 */
export function expectError(answer: ApiAnswer, status: number, code: string, extra: Record<string, unknown> = {}, hasKey = true): void {
  const { body, headers } = answer
  expect({ status: answer.status, error: body?.error, message: body?.message }).toEqual({ status, error: code, message: expect.stringMatching(/^.{15,}$/s) })
  expect(Object.keys(body).toSorted()).toEqual([...commonKeys, ...Object.keys(extra)].toSorted())
  expect(body).toMatchObject(extra)
  expect(body.requestId).toMatch(/^req_[0-9a-f]{32}$/)
  expect(headers.get('x-svc-request-id')).toBe(body.requestId)
  expect(body.docs).toBe(`https://api.example.test/docs/errors/${code}`)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('x-svc-credits-charged')).toBe('0')
  if (hasKey) expect(headers.get('x-svc-credits-balance')).toMatch(/^-?\d+$/)
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) expect(headers.get(name), name).toMatch(/^\d+$/)
  expect(headers.get('cache-control')).toBe('private, no-cache')
  expect(headers.get('etag')).toBeNull()
}
