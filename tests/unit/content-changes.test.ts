import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '#server/observability/log.ts'
import { ContentChanges } from '#server/runtime/page-cache/content-changes.ts'

const open = (refresh: () => Promise<void>) => new ContentChanges(refresh, createLog('silent'))

test('concurrent requests share one check, and later ones need none for a short time', async () => {
  let checks = 0
  const changes = open(async () => {
    checks++
    await sleep(5)
  })
  await Promise.all(Array.from({ length: 50 }, () => changes.check()))
  expect([checks, changes.check()]).toEqual([1, null])
  await sleep(110)
  await changes.check()
  expect(checks).toBe(2)
})

test('checks again after a request that may have changed the content', async () => {
  const order: string[] = []
  const changes = open(async () => {
    await sleep(5)
    order.push('checked')
  })
  const first = changes.check()
  changes.expect()
  order.push('changed')
  await changes.check()
  await first
  // Two checks, because another part of the process may share a refresh that began before the change.
  expect(order).toEqual(['changed', 'checked', 'checked', 'checked'])
})

test('requests wait only briefly for a check that hangs, and do not repeat a failed check immediately', async () => {
  const hanging = open(() => new Promise(() => undefined))
  const from = performance.now()
  await hanging.check()
  expect(performance.now() - from).toBeGreaterThan(200)
  await sleep(60)
  expect(hanging.check()).toBeNull()
  const failing = open(() => Promise.reject(new Error('The database is down.')))
  await failing.check()
  expect(failing.check()).toBeNull()
})
