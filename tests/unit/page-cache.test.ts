import { afterEach, expect, test } from 'vitest'
import { listFormats } from '#server/api/contract/list-formats.ts'
import type { BuiltPage } from '#server/api/pipeline/call.ts'
import { isCurrent, PageCache } from '#server/api/pipeline/page-cache.ts'
import { clock } from '#server/clock.ts'

const realNow = clock.now

afterEach(() => {
  clock.now = realNow
})

let built = 0

function page(version = 1): BuiltPage {
  const now = clock.now()
  return {
    format: listFormats.json,
    head: '',
    data: `"data":${++built}`,
    dataBytes: 8,
    rows: null,
    keys: [],
    more: false,
    updatedUntil: null,
    tag: 'W/"x',
    generatedAt: new Date(now).toISOString(),
    builtAt: now,
    version,
  }
}

const setClock = (ms: number) => {
  clock.now = () => 1_798_761_600_000 + ms
}

test('reuses a page for less than 60 seconds', async () => {
  const cache = new PageCache()
  const isNewAt = async (ms: number) => {
    setClock(ms)
    return (await cache.get('a', 1, async () => page())).isNew
  }
  expect([await isNewAt(0), await isNewAt(1), await isNewAt(59_999), await isNewAt(60_000), await isNewAt(119_999), await isNewAt(120_000)]).toEqual([
    true,
    false,
    false,
    true,
    false,
    true,
  ])
})

test('rebuilds a page that was built from an older config snapshot', async () => {
  setClock(0)
  const cache = new PageCache()
  const first = await cache.get('a', 1, async () => page(1))
  const second = await cache.get('a', 2, async () => page(2))
  expect([first.isNew, second.isNew, second.page.data === first.page.data]).toEqual([true, true, false])
  expect(isCurrent(first.page, 2)).toBe(false)
  expect(isCurrent(undefined, 1)).toBe(false)
})

test('builds a page once for concurrent callers', async () => {
  const cache = new PageCache()
  let builds = 0
  const build = async () => {
    builds++
    await new Promise((resolve) => setTimeout(resolve, 20))
    return page()
  }
  const answers = await Promise.all(Array.from({ length: 20 }, () => cache.get('a', 1, build)))
  expect(builds).toBe(1)
  expect(answers.map(({ isNew }) => isNew)).toEqual([true, ...Array.from({ length: 19 }, () => false)])
  expect(new Set(answers.map((answer) => answer.page)).size).toBe(1)
})

test('fails all waiting callers if a page cannot be built, and retries for the next caller', async () => {
  const cache = new PageCache()
  const fail = async () => {
    await Promise.resolve()
    throw new Error('no data')
  }
  const answers = await Promise.allSettled([cache.get('a', 1, fail), cache.get('a', 1, fail)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await cache.get('a', 1, async () => page())).isNew).toBe(true)
})

test('stores pages by key, and limits their number', async () => {
  setClock(0)
  const cache = new PageCache()
  for (let at = 0; at <= 5_000; at++) await cache.get(`page ${at}`, 1, async () => page())
  const isNew = async (key: string) => (await cache.get(key, 1, async () => page())).isNew
  expect(await isNew('page 5000')).toBe(false)
  expect(await isNew('page 1')).toBe(false)
  expect(await isNew('page 0')).toBe(true)
})

test('large pages evict older ones before the maximum number of pages is reached', async () => {
  setClock(0)
  const cache = new PageCache()
  const large = () => ({ ...page(), dataBytes: 100_000, rows: ['{}'] })
  const isNew = async (key: string) => (await cache.get(key, 1, async () => large())).isNew
  for (let at = 0; at < 1_000; at++) await isNew(`large ${at}`)
  let kept = 0
  for (let at = 999; at >= 0 && !(await isNew(`large ${at}`)); at--) kept++
  expect(kept).toBeGreaterThan(300)
  expect(kept).toBeLessThan(340)
})

test('whole lists evict only other whole lists', async () => {
  setClock(0)
  const cache = new PageCache()
  const read = async (key: string, facts: object = {}, version = 1) => (await cache.get(key, version, async () => ({ ...page(version), ...facts }))).isNew
  const whole = { dataBytes: 3_000_000, rows: ['{}'] }
  for (let at = 0; at < 1_000; at++) await read(`page ${at}`)
  for (let at = 0; at < 100; at++) await read(`whole ${at}`, whole)
  expect([await read('page 0'), await read('page 999'), await read('whole 99', whole), await read('whole 90', whole)]).toEqual([false, false, false, true])
  // A list that grows moves to the store for whole lists.
  expect([await read('page 0', whole, 2), await read('page 0', whole, 2), await read('page 0', {}, 3), await read('page 0', {}, 3)]).toEqual([
    true,
    false,
    true,
    false,
  ])
})
