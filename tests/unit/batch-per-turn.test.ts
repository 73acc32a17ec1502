import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchPerTurn } from '#server/api/http/portal-answers.ts'

test('processes all requests of one event-loop turn concurrently in the next turn', async () => {
  const steps: string[] = []
  const ask = batchPerTurn(async (item: string) => {
    steps.push(`${item} begins`)
    await Promise.resolve()
    steps.push(`${item} goes on`)
  })
  ask('first')
  ask('second')
  expect(steps).toEqual([])
  await nextTurn()
  expect(steps).toEqual(['first begins', 'second begins', 'first goes on', 'second goes on'])
})

test('defers a request made during processing to the following turn, and processes it only once', async () => {
  const done: number[] = []
  const ask = batchPerTurn((item: number) => {
    done.push(item)
    if (item < 3) ask(item + 1)
  })
  ask(1)
  await nextTurn()
  expect(done).toEqual([1])
  await nextTurn()
  await nextTurn()
  await nextTurn()
  expect(done).toEqual([1, 2, 3])
})
