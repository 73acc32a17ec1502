import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { BodyBuffer } from '#server/api/http/body-buffer.ts'
import { EventBodies } from '#server/api/http/stripe-webhook.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Collects garbage and returns the bytes still in use. */
function usedBytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Stub request on which the test emits the body events. */
class Sender extends EventEmitter {
  headers = {}
  resume(): this {
    return this
  }
}

test('a body that arrives one byte at a time uses little more memory than its length', async () => {
  const bodies = new EventBodies()
  const before = usedBytes()
  const senders = Array.from({ length: 20 }, () => new Sender())
  const received = senders.map((sender) => bodies.read(sender as unknown as IncomingMessage))
  for (const sender of senders) for (let at = 0; at < 60_000; at++) sender.emit('data', Buffer.from([at % 256]))
  // Kept as separate buffers, 1.2 million parts would take more than 100 MB.
  expect(usedBytes() - before).toBeLessThan(10_000_000)
  for (const sender of senders) sender.emit('end')
  const [first] = await Promise.all(received)
  expect(first).toEqual(Buffer.from(Uint8Array.from({ length: 60_000 }, (_, at) => at % 256)))
})

test('keeps a body of exactly the maximum length and discards a longer one', () => {
  const buffer = new BodyBuffer(5)
  expect([buffer.add(Buffer.from('abc')), buffer.add(Buffer.from('de')), buffer.body?.toString()]).toEqual([true, true, 'abcde'])
  expect([buffer.add(Buffer.from('f')), buffer.body]).toEqual([false, null])
  expect([buffer.add(Buffer.from('')), buffer.body]).toEqual([false, null])
  expect(new BodyBuffer(5).body).toEqual(Buffer.alloc(0))
})
