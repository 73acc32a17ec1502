import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AdmissionRequest, decodeNumbers, encodeBatch, readOutcomes } from '#server/metering/batch.ts'

const base: AdmissionRequest = {
  id: '01a1fcdeb10e7bc0a70aa6338830ff1c',
  serviceVersion: 7,
  accountId: 11,
  accountVersion: 3,
  keyId: 21,
  keyVersion: 5,
  isLive: true,
  capId: null,
  shard: null,
  endpoint: 3,
  status: 200,
  error: 0,
  stage: 0,
  price: 1,
  units: 10,
  ceiling: null,
  idempotency: null,
}

test('encodes each account and key once, and references the key in each request', () => {
  const requests: AdmissionRequest[] = [
    base,
    { ...base, id: '01a1fcdeb10e7bc0a70aa6338830ff1d', keyId: 22, keyVersion: 6, status: 304, price: 0, units: 0, ceiling: 4 },
    { ...base, id: '01a1fcdeb10e7bc0a70aa6338830ff1e', accountId: 12, accountVersion: 9, keyId: 23, keyVersion: 1, status: 404, error: 15, stage: 1 },
    { ...base, id: '01a1fcdeb10e7bc0a70aa6338830ff1f', idempotency: { key: 'a "b" \\c,{d}', request: 'ff00' } },
  ]
  const { values, keyPlaces, accountPlaces } = encodeBatch(7, requests)
  expect([keyPlaces, accountPlaces]).toEqual([
    [0, 1, 2, 0],
    [0, 0, 1, 0],
  ])
  const [service, accounts, keys, keyAccounts, ids, requestKeys, ...rest] = values
  expect([service, accounts, keys, keyAccounts]).toEqual(['7', '{11,12}', '{21,22,23}', '{1,1,2}'])
  expect(ids).toBe('{01a1fcdeb10e7bc0a70aa6338830ff1c,01a1fcdeb10e7bc0a70aa6338830ff1d,01a1fcdeb10e7bc0a70aa6338830ff1e,01a1fcdeb10e7bc0a70aa6338830ff1f}')
  expect(requestKeys).toBe('{1,2,3,1}')
  expect(rest).toEqual([
    '{3,3,9,3}',
    '{5,6,1,5}',
    '{3,3,3,3}',
    '{200,304,404,200}',
    '{0,0,15,0}',
    '{0,0,1,0}',
    '{1,0,1,1}',
    '{10,0,10,10}',
    '{NULL,4,NULL,NULL}',
    '{NULL,NULL,NULL,"a \\"b\\" \\\\c,{d}"}',
    '{NULL,NULL,NULL,"\\\\xff00"}',
  ])
})

test("encodes numbers in PostgreSQL's notation", () => {
  expect(decodeNumbers('{0}')).toEqual([0])
  expect(decodeNumbers('{1,-2,30,9007199254740991,-35}')).toEqual([1, -2, 30, 9_007_199_254_740_991, -35])
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1 }), (numbers) => {
      // PostgreSQL has no negative zero.
      expect(decodeNumbers(`{${numbers.join(',')}}`)).toEqual(numbers.map((number) => number || 0))
    }),
    { seed: 1, numRuns: 200 },
  )
})

test('decodes the result columns into one outcome per request', () => {
  const answer = '7 1798761600000 {0,5,0} {10,0,1} {10,0,0} {90,-3,90} {1,4,2} {30,2,31} {600,60} {1000,NULL}'
  const outcomes = readOutcomes(decodeNumbers(answer), { keyPlaces: [0, 1, 0], accountPlaces: [0, 1, 0] })
  expect(outcomes).toEqual([
    {
      verdict: 0,
      units: 10,
      credits: 10,
      balance: 90,
      minuteLimit: 600,
      minuteLeft: 599,
      dayLimit: 1_000,
      dayLeft: 970,
      serviceVersion: 7,
      now: 1_798_761_600_000,
    },
    { verdict: 5, units: 0, credits: 0, balance: -3, minuteLimit: 60, minuteLeft: 56, dayLimit: 0, dayLeft: -2, serviceVersion: 7, now: 1_798_761_600_000 },
    {
      verdict: 0,
      units: 1,
      credits: 0,
      balance: 90,
      minuteLimit: 600,
      minuteLeft: 598,
      dayLimit: 1_000,
      dayLeft: 969,
      serviceVersion: 7,
      now: 1_798_761_600_000,
    },
  ])
})
