import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture } from '../v1/support/fixture.ts'

const fixture = new Fixture('next')

// At most a fifth of these pages may be ones that the cache can't serve, such as unknown pages.
beforeAll(() => fixture.open({ PAGES_PER_MINUTE: '60' }))
afterAll(() => fixture.close())

const getStatus = async (path: string) => {
  const response = await fetch(fixture.service.origin + path)
  await response.arrayBuffer()
  return response.status
}

test('limits requests with unknown paths and parameters per network, and keeps serving cached pages', async () => {
  for (const path of ['/docs', '/status', '/changelog', '/docs/limits', '/llms.txt']) expect(await getStatus(path)).toBe(200)
  const wasted = await Promise.all(Array.from({ length: 9 }, (_, at) => [getStatus(`/products/unknown-${at}`), getStatus(`/?unknown=${at}`)]).flat())
  expect(wasted.filter((status) => status === 404).length + wasted.filter((status) => status === 200).length).toBeLessThanOrEqual(14)
  expect(wasted.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4)
  for (const path of ['/docs', '/status', '/changelog', '/docs/limits', '/llms.txt']) expect(await getStatus(path)).toBe(200)
})

/** Requests a page with a made-up host. */
const getForHost = (host: string) =>
  new Promise<number>((resolve, reject) => {
    const sent = request(`${fixture.service.origin}/docs`, { headers: { host } }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end()
  })

test('limits page requests with unknown Host headers per network', async () => {
  const statuses: number[] = []
  for (let at = 0; at < 16; at++) statuses.push(await getForHost(`host-${at}.example.test`))
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2)
  expect(await getStatus('/docs')).toBe(200)
})
