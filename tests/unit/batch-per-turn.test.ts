import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchPerTurn } from '#server/api/http/batch-per-turn.ts'

test('what is asked for in one turn is done in the next, each step for all of it before the step behind', async () => {
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

test('what the work itself asks for is done as well, a turn later, and nothing twice', async () => {
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
