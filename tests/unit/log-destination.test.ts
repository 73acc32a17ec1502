import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { LogDestination } from '#server/observability/log.ts'

/** Program that writes to a log. It must neither block nor exit if the log is not read or cannot be written. */
const program = `
  import { createLog } from ${JSON.stringify(new URL('../../server/observability/log.ts', import.meta.url).href)}
  const log = createLog('info')
  for (let n = 0; n < 10_000; n++) log.info({ n }, 'A line that is as long as lines of a log are, and far more of them than a pipe takes.')
  setTimeout(() => process.stdout.write('It goes on.'), 50)
`

/**
 * Runs the program, which writes far more than a pipe can buffer. `fate` selects its standard error: a pipe that is read, never read or closed immediately, or
 * the file `/dev/full`.
 */
async function run(fate: 'unread' | 'gone' | 'read' | '/dev/full') {
  const file = fate === '/dev/full' ? openSync(fate, 'w') : null
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd, stdio: ['ignore', 'pipe', file ?? 'pipe'] })
  if (file !== null) closeSync(file)
  if (fate === 'gone') child.stderr?.destroy()
  const said = child.stdout ? text(child.stdout) : ''
  const logged = fate === 'read' && child.stderr ? text(child.stderr) : ''
  const code = await new Promise((resolve) => child.once('exit', (status, signal) => resolve(status ?? signal)))
  return { code, said: await said, logged: await logged }
}

test.each(['unread', 'gone', '/dev/full'] as const)('keeps running and exits normally when its log is %s', async (fate) => {
  expect(await run(fate)).toEqual({ code: 0, said: 'It goes on.', logged: '' })
})

test('delivers complete lines in order to a slow reader', async () => {
  const { code, logged } = await run('read')
  expect(code).toBe(0)
  const read = logged.split('\n').filter(Boolean).slice(0, -1)
  const numbers = read.flatMap((line) => (JSON.parse(line) as { n?: number }).n ?? [])
  expect(numbers.length).toBeGreaterThan(0)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
})

const fault = (code: string) => Object.assign(new Error(code), { code })

test('reports the number of lost lines on a separate line once the disk has space again', async () => {
  let [room, written] = [30, '']
  const destination = new LogDestination((bytes) => {
    if (room === 0) throw fault('ENOSPC')
    const part = Buffer.from(bytes).subarray(0, room)
    room -= part.length
    written += part.toString()
    return part.length
  })
  for (const n of [1, 2, 3, 4]) destination.write(`{"line":${n},"of":"the log"}\n`)
  room = 10_000
  await vi.waitFor(() => {
    destination.write('{"line":5}\n')
    expect(written).toContain('"line":5')
  })
  const [first, torn, notice = '', last] = written.split('\n').filter(Boolean)
  expect([first, torn, last]).toEqual(['{"line":1,"of":"the log"}', '{"li', '{"line":5}'])
  expect(JSON.parse(notice)).toMatchObject({
    level: 40,
    lines: expect.toSatisfy((lines) => lines >= 3),
    msg: 'Log lines could not be written and are lost.',
  })
})
