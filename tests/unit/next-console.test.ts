import { expect, test } from 'vitest'
import { createLog } from '../../server/log.ts'
import { logNext } from '../../server/next-console.ts'

type Line = { level: number; msg: string; said?: string; reference?: string }

/** What Next may write to, and the lines of the log that come of it. */
function hearing(): { console: Record<'error' | 'warn', (...parts: unknown[]) => void>; lines: Line[] } {
  const lines: Line[] = []
  const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line) as Line) })
  const console = { error: () => undefined, warn: () => undefined }
  logNext(log, console)
  return { console, lines }
}

test('a form that did not say where it came from is refused with a warning, which names both hosts', () => {
  const { console, lines } = hearing()
  const said =
    '`host` header with value `rates.example.test` does not match `origin` header with value `null` from a forwarded Server Actions request. Aborting the action.'
  console.error(said)
  expect(lines).toMatchObject([{ level: 40, msg: 'A form was refused: it did not come from our own pages.', said }])
})

test('an action that is none is a line for whoever looks for it, and no warning', () => {
  const { console, lines } = hearing()
  console.warn(new Error('Failed to find Server Action "0".'))
  console.error(new Error('Invalid Server Actions request.'))
  expect(lines.map(({ level }) => level)).toEqual([20, 20])
})
