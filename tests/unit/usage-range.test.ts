import { expect, test } from 'vitest'
import { readUsageRange } from '#server/metering/usage-range.ts'

test('lists the periods of a range', () => {
  expect(readUsageRange({ from: '2026-11-21T22', to: '2026-11-22T00' }, 'hour').periods).toEqual(['2026-11-21T22', '2026-11-21T23', '2026-11-22T00'])
  expect(readUsageRange({ from: '2026-02-27', to: '2026-03-01' }, 'day').periods).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  expect(readUsageRange({ from: '2026-12-31', to: '2027-01-01' }, 'month').periods).toEqual(['2026-12', '2027-01'])
})

// A range of all years has 87 million hours. Listing them before the check would exhaust the memory of the process.
test.each(['hour', 'day', 'month'] as const)('rejects a range of all years by %s', (grain) => {
  expect(() => readUsageRange({ from: '0001-01-01', to: '9998-12-31' }, grain)).toThrow("A usage range can't exceed")
})
