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

test('a hundred thousand bad requests are sixty lines, and the next minute says how many were left out', () => {
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

test('what is only told has more room, and what differs in every line is one kind at last', () => {
  setClock(0)
  expect(logged((log) => Array.from({ length: 5_000 }, () => log.info('Served.')))).toHaveLength(600)
  const all = logged((log) => Array.from({ length: 100_000 }, (_, at) => log.warn(`Fault ${at}.`)))
  expect(all.length).toBeLessThan(600)
})
