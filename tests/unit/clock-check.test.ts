import { afterEach, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { ClockCheck } from '#server/observability/health.ts'
import { createLog } from '#server/observability/log.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase({ max: 2 })
const realNow = clock.now

afterEach(() => {
  clock.now = realNow
})

test('warns if the clock of the process differs from that of the database by more than a minute', async () => {
  const lines: string[] = []
  const check = new ClockCheck(database.pool, createLog('info', { write: (line: string) => lines.push(line) }))
  await check.check()
  expect(Math.abs(check.skewSeconds ?? 99)).toBeLessThan(1)
  expect(lines).toEqual([])
  for (const offsetSeconds of [7_200, -93_600]) {
    clock.now = () => realNow() + offsetSeconds * 1_000
    await check.check()
    expect(check.skewSeconds).toBeCloseTo(offsetSeconds, 0)
    expect(JSON.parse(lines.pop() ?? '{}')).toMatchObject({ level: 40, skewSeconds: offsetSeconds })
  }
  check.close()
})
