import { expect, test } from 'vitest'
import { createLog } from '#server/observability/log.ts'
import { getReference, withReference } from '#server/observability/log-reference.ts'
import { logNext } from '#server/runtime/next-console.ts'

type Line = { level: number; msg: string; said?: string; reference?: string }

/** Returns a console for Next.js, and the log lines that its output produces. */
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

test('a failure is logged under the reference that its page shows', () => {
  const { console, lines } = hearing()
  console.error(withReference(new Error('one'), 'Ab3dEf6hIj'))
  console.error(Object.assign(new Error('two'), { digest: '1234567890' }))
  console.error(new Error('three'))
  expect(lines.map(({ level, reference }) => [level, reference])).toEqual([
    [50, 'Ab3dEf6hIj'],
    [50, '1234567890'],
    [50, undefined],
  ])
})

test('two failures that say the same have two references, and one that is seen twice has one', () => {
  const [one, other] = [withReference(new Error('the same')), withReference(new Error('the same'))]
  expect(getReference(one)).toMatch(/^\w{10}$/)
  expect(getReference(one)).not.toBe(getReference(other))
  expect(getReference(withReference(one))).toBe(getReference(one))
})
