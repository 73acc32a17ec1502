import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, onEachMount } from './support/fixture.ts'

const getKeys = (data: { sourceKey: string }[]) => data.map((row) => row.sourceKey)

onEachMount((fixture) => {
  verifies('lists/next-link', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const getLink = (answer: ApiAnswer) => /^<(https:\/\/api\.example\.test\/v1\/[^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    const follow = async (path: string, headers: Record<string, string> = {}) => {
      const pages: ApiAnswer[] = []
      for (let next: string | null = path; next !== null && pages.length < 10; ) {
        const answer: ApiAnswer = await fixture.get(next, key, headers)
        pages.push(answer)
        next = getLink(answer)?.replace('https://api.example.test/v1', '') ?? null
      }
      return pages
    }
    const pages = await follow('/rates?type=lifetime-isa&limit=13&fields=sourceKey,rate')
    expect(pages.map(({ body }) => body.data.length)).toEqual([13, 13, 4])
    const whole = (await fixture.get('/rates?type=lifetime-isa&limit=50', key)).body.data
    expect(pages.flatMap(({ body }) => getKeys(body.data))).toEqual(getKeys(whole))
    expect(getLink(pages[0] as ApiAnswer)).toBe(
      `https://api.example.test/v1/rates?type=lifetime-isa&limit=13&fields=sourceKey%2Crate&cursor=${pages[0]?.body.meta.nextCursor}`,
    )
    // The same in other formats, for another target with the same page, and for a page without parameters.
    const lines = await follow('/rates?limit=13&type=lifetime-isa&fields=sourceKey', { accept: 'application/x-ndjson' })
    expect(lines.map(({ text }) => text.split('\n').length - 1)).toEqual([13, 13, 4])
    const plain = await fixture.get('/rates', key)
    expect(getLink(plain)).toBe(`https://api.example.test/v1/rates?cursor=${plain.body.meta.nextCursor}`)
    // Proxies limit the size of headers, so a list with very long filters has no Link header, only a cursor.
    const [first, second] = getKeys(whole)
    const unknown = Array.from({ length: 40 }, (_, at) => `${'x'.repeat(50)}${at}`)
    const long = await fixture.get(`/rates?limit=1&sourceKey=${[first, second, ...unknown].join(',')}`, key)
    expect([long.status, long.headers.get('link'), long.body.meta.nextCursor]).toEqual([200, null, expect.stringMatching(/^[\w-]+$/)])
    for (const path of ['/reference/fscs', '/ping', '/rates?minRate=99'])
      expect([path, (await fixture.get(path, key)).headers.get('link')]).toEqual([path, null])
  })

  verifies('lists/next-link', 'continues after a cut page, never repeats a key, and encodes every parameter', async () => {
    const poor = await fixture.live({ credits: 3 })
    const cut = await fixture.get('/rates?limit=5', poor.key)
    const { key } = await fixture.live({ credits: 1_000 })
    expect(cut.headers.get('link')).toBe(`<https://api.example.test/v1/rates?limit=5&cursor=${cut.body.meta.nextCursor}>; rel="next"`)
    const after = await fixture.get(`/rates?limit=5&cursor=${cut.body.meta.nextCursor}`, key)
    expect(getKeys(after.body.data)[0]).toBe(getKeys((await fixture.get('/rates?limit=5', key)).body.data)[3])
    const secret = await fixture.raw('GET', `/v1/rates?limit=1&api_key=${key}&type=all`, { authorization: `Bearer ${key}` })
    expect(secret.headers.get('link')).toMatch(/^<https:\/\/api\.example\.test\/v1\/rates\?limit=1&type=all&cursor=[\w-]+>; rel="next"$/)
    const odd = await fixture.raw('GET', `/v1/rates?limit=1&q=${encodeURIComponent('a>; rel="x", <é\r\nX-Bad: 1')}`, { authorization: `Bearer ${key}` })
    expect([odd.status, odd.headers.get('x-bad')]).toEqual([200, null])
    expect(odd.headers.get('link') ?? '').not.toMatch(/[é\r\n]|rel="x"/)
  })
})
