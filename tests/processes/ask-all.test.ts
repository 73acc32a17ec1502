import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('collects answers from all processes, and counts the processes that do not answer', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'asking-process.ts')])
  const inside = { answers: ['child there', 'first there', 'child there'], missing: 0 }
  expect(JSON.parse(stdout)).toEqual({
    received: {
      who: { answers: ['first you', 'child you', 'child you'], missing: 0 },
      unknown: { answers: [], missing: 0 },
      fault: { answers: [], missing: 2 },
      late: { answers: [], missing: 2 },
    },
    byChildren: { answers: [inside, inside], missing: 0 },
  })
}, 30_000)
