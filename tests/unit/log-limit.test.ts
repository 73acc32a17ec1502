import { afterEach, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { createLog } from '#server/observability/log.ts'

const realNow = clock.now

afterEach(() => {
  clock.now = realNow
})

type Line = { level: number; msg: string; leftOut?: Record<string, number> }

function logged(work: (log: ReturnType<typeof createLog>) => void): Line[] {
  const lines: Line[] = []
  work(createLog('info', { write: (line) => lines.push(JSON.parse(line) as Line) }))
  return lines
}

const setClock = (ms: number) => {
  clock.now = () => 1_798_761_600_000 + ms
}

test('logs only 60 of 100,000 warnings with the same message, and reports the number omitted a minute later', () => {
  const lines = logged((log) => {
    setClock(0)
    for (let at = 0; at < 100_000; at++) log.warn({ at }, 'Rejected a Stripe event; nothing was changed.')
    log.error('Something else.')
    setClock(60_000)
    log.info('A line of the next minute.')
  })
  expect(lines).toHaveLength(60 + 1 + 2)
  expect(lines.at(-2)).toMatchObject({ level: 30, leftOut: { 'Rejected a Stripe event; nothing was changed.': 99_940 } })
  expect(lines.at(-1)?.msg).toBe('A line of the next minute.')
})

test('allows more lines at info level, and limits the total even if every message differs', () => {
  setClock(0)
  expect(logged((log) => Array.from({ length: 5_000 }, () => log.info('Served.')))).toHaveLength(600)
  const all = logged((log) => Array.from({ length: 100_000 }, (_, at) => log.warn(`Fault ${at}.`)))
  expect(all.length).toBeLessThan(600)
})
