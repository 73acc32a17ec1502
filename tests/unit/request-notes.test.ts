import { expect, test } from 'vitest'
import { cutText, tryHref } from '#components/portal/request-notes.ts'

test('explains why a page has fewer rows than requested', () => {
  const request = {
    method: 'GET',
    target: '/rates?limit=50',
    endpoint: { id: 'rates.list', name: 'GET /rates' },
    headers: { 'x-svc-max-credits': '5' },
    charge: { units: 5, per: 'row', unitCredits: 1, freeBy: null },
    balanceAfter: 95,
  } as const
  expect(cutText(request)).toBe('Shortened to 5 rows by X-SVC-Max-Credits (5 credits).')
  expect(cutText({ ...request, target: '/rates?limit=5' })).toBeNull()
  expect(cutText({ ...request, headers: null })).toBeNull()
  expect(cutText({ ...request, headers: null, balanceAfter: 0 })).toBe("Shortened to 5 rows: your balance didn't cover more.")
  expect(cutText({ ...request, charge: { ...request.charge, freeBy: 'test' } })).toBeNull()
})

test("links a call to its reference page with the call's parameters, unless it can't be repeated there", () => {
  const request = { method: 'GET', headers: {}, charge: { units: 1, per: 'request', unitCredits: 1, freeBy: null }, balanceAfter: 1 } as const
  const endpoint = { id: 'rates.get', name: 'GET /rates/{sourceKey}' }
  expect(tryHref({ ...request, endpoint, target: '/rates/a%20b?fields=rate&api_key=…' })).toBeNull()
  expect(tryHref({ ...request, endpoint, target: '/rates/a%20b%?fields=rate' })).toBe('/reference/rates-get?sourceKey=a+b%25&fields=rate')
  expect(tryHref({ ...request, endpoint, target: '/providers/a' })).toBeNull()
  expect(tryHref({ ...request, endpoint, target: null })).toBeNull()
  expect(tryHref({ ...request, endpoint: { id: 'unknown', name: 'Unknown path' }, target: '/nowhere' })).toBeNull()
})
