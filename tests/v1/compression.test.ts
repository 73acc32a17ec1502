import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { type Caller, onEachMount } from './support/fixture.ts'

/** Response with its body as bytes, as sent. */
type Raw = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer }

/** Decoders that reject anything after the end of the stream, and streams that don't end. */
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
const encodings = Object.keys(decoders)

const decode = ({ headers, bytes }: Raw): string => (decoders[headers.get('content-encoding') ?? '']?.(bytes) ?? bytes).toString()

const getEncoding = ({ headers }: Raw) => headers.get('content-encoding')

onEachMount((fixture) => {
  const get = (path: string, key: string, accept: string | null, more: Record<string, string> = {}) =>
    fixture.bytes('GET', `/v1${path}`, { authorization: `Bearer ${key}`, ...(accept === null ? {} : { 'accept-encoding': accept }), ...more })

  verifies('formats/compressed', async () => {
    const { key } = await fixture.live({ credits: 10_000 })
    for (const [accept, encoding] of [
      [null, null],
      ['', null],
      ['identity', null],
      ['deflate', null],
      ['br;q=0, gzip;q=0', null],
      ['identity, *;q=0', null],
      ['gzip', 'gzip'],
      ['gzip, deflate', 'gzip'],
      ['gzip, deflate, br, zstd', 'br'],
      ['zstd, gzip', 'zstd'],
      ['br;q=0, gzip', 'gzip'],
      ['*', 'br'],
      ['GZIP', 'gzip'],
      ['gzip;q=1, br;q=0.1', 'gzip'],
      [`gzip${', gzip;q=0.1'.repeat(20)}`, null],
    ] as const) {
      const answer = await get('/rates?limit=20', key, accept)
      expect([accept, answer.status, getEncoding(answer)]).toEqual([accept, 200, encoding])
      const { data, meta } = JSON.parse(decode(answer))
      expect([data.length, meta.creditsCharged]).toEqual([20, 20])
      if (encoding !== null) expect(answer.bytes.length).toBeLessThan(decode(answer).length / 3)
      expect(answer.headers.get('vary')?.split(/, */)).toContain('Accept-Encoding')
      if (fixture.mount === 'lean') expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length))
    }
  })

  verifies('formats/compressed', 'sends short responses and errors uncompressed', async () => {
    const { key } = await fixture.live()
    for (const path of ['/ping', '/rates?limit=0', '/none', '/rates?fields=rate&limit=1'])
      expect([path, getEncoding(await get(path, key, 'br'))]).toEqual([path, null])
  })

  /** Makes a call with an encoding, and checks the encoding, the ETag and the charge. */
  async function getEncoded({ key, account }: Caller, path: string, encoding: string, headers: Record<string, string>, tag: string): Promise<string> {
    const before = await fixture.balance(account)
    const answer = await get(path, key, encoding, headers)
    expect([path, getEncoding(answer), answer.headers.get('etag')]).toEqual([path, encoding, tag])
    const charged = Number(answer.headers.get('x-svc-credits-charged'))
    expect(charged).toBeGreaterThan(0)
    expect(await fixture.balance(account)).toBe(before - charged)
    return decode(answer)
  }

  const withoutMeta = (body: string) => (body.startsWith('{"data":') ? JSON.stringify(JSON.parse(body).data) : body)

  verifies('formats/compressed-same', async () => {
    const caller = await fixture.live({ credits: 10_000 })
    for (const [path, headers] of [
      ['/rates?limit=50', {}],
      ['/rates?limit=50', { accept: 'text/csv' }],
      ['/rates?limit=50', { accept: 'application/x-ndjson' }],
      ['/reference/fscs', {}],
      ['/reference/products', { accept: 'text/csv' }],
      ['/providers?limit=13', {}],
    ] as [string, Record<string, string>][]) {
      const plain = await get(path, caller.key, null, headers)
      const tag = plain.headers.get('etag') ?? ''
      for (const encoding of encodings) {
        // The first response compresses the page, the second one reuses it.
        for (const _ of ['first', 'second']) expect(withoutMeta(await getEncoded(caller, path, encoding, headers, tag))).toBe(withoutMeta(decode(plain)))
        const unchanged = await get(path, caller.key, encoding, { ...headers, 'if-none-match': tag })
        expect([unchanged.status, unchanged.bytes.length, getEncoding(unchanged), unchanged.headers.get('etag')]).toEqual([304, 0, null, tag])
      }
    }
  })

  verifies('formats/compressed-same', 'compresses pages cut to the balance, responses about the caller, and many responses at once', async () => {
    for (const encoding of encodings) {
      const { key } = await fixture.live({ credits: 30 })
      const cut = await get('/rates?limit=50', key, encoding)
      expect([getEncoding(cut), JSON.parse(decode(cut)).data.length, cut.headers.get('x-svc-limit-reduced')]).toEqual([encoding, 30, '30'])
      const me = await get('/me', key, encoding)
      expect([getEncoding(me), JSON.parse(decode(me)).data.credits?.balance ?? JSON.parse(decode(me)).meta.creditsBalance]).toEqual([encoding, 0])
    }
    const many = await fixture.live({ credits: 100_000, perMinute: 100_000, perDay: 100_000 })
    // More responses than are compressed at the same time. The rest are sent uncompressed.
    const paths = Array.from({ length: 120 }, (_, at) => `/rates?limit=${(at % 30) + 10}&amount=${at + 1}`)
    const answers = await Promise.all(paths.map((path) => get(path, many.key, 'br')))
    for (const [at, answer] of answers.entries()) expect(JSON.parse(decode(answer)).data.length, paths[at]).toBeGreaterThan(0)
    expect(answers.filter((answer) => getEncoding(answer) === 'br').length).toBeGreaterThan(20)
  })

  verifies('formats/compressed-same', 'compresses any page with any request id', async () => {
    const { key } = await fixture.live({ credits: 1_000_000, perMinute: 100_000, perDay: 100_000 })
    const anyCall = fc.tuple(fc.integer({ min: 3, max: 50 }), fc.constantFrom(...encodings), fc.constantFrom('type=notice', 'type=cash-isa', 'sort=provider'))
    await fc.assert(
      fc.asyncProperty(anyCall, async ([limit, encoding, filter]) => {
        const answer = await get(`/rates?limit=${limit}&${filter}`, key, encoding)
        const { data, meta } = JSON.parse(decode(answer))
        expect([data.length, meta.requestId, getEncoding(answer)]).toEqual([limit, answer.headers.get('x-svc-request-id'), encoding])
      }),
      { numRuns: 60, seed: 20_261_121 },
    )
  })

  verifies('formats/compressed', 'HEAD has the headers of the compressed response', async () => {
    const { key } = await fixture.test()
    for (const encoding of ['br', 'gzip']) {
      const headers = { authorization: `Bearer ${key}`, 'accept-encoding': encoding }
      const [head, whole] = [await fixture.bytes('HEAD', '/v1/reference/fscs', headers), await fixture.bytes('GET', '/v1/reference/fscs', headers)]
      expect([head.status, head.bytes.length, getEncoding(head)]).toEqual([200, 0, encoding])
      // The balance and the request id have the same length in both.
      expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'))
    }
  })

  verifies('formats/compressed', 'compresses responses to tool messages', async () => {
    const { key } = await fixture.test()
    const send = (message: object, accept: string) =>
      fixture.bytes(
        'POST',
        '/mcp',
        { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'accept-encoding': accept },
        JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      )
    for (const encoding of encodings) {
      const list = await send({ method: 'tools/list' }, encoding)
      expect([list.status, getEncoding(list), JSON.parse(decode(list)).result.tools.length > 30]).toEqual([200, encoding, true])
      const call = await send({ method: 'tools/call', params: { name: 'reference_currencies', arguments: {} } }, encoding)
      expect([getEncoding(call), JSON.parse(decode(call)).result.structuredContent.data.length > 100]).toEqual([encoding, true])
    }
    expect(getEncoding(await send({ method: 'tools/list' }, 'identity'))).toBeNull()
    expect(getEncoding(await send({ method: 'nonsense' }, 'br'))).toBeNull()
  })

  verifies('formats/compressed', 'compresses documents, with a weak ETag', async () => {
    for (const path of ['/api/developer/openapi.json', '/api/developer/postman.json']) {
      const plain = await fixture.bytes('GET', path, {})
      const tag = plain.headers.get('etag') ?? ''
      expect([getEncoding(plain), plain.headers.get('vary')?.toLowerCase().includes('accept-encoding')]).toEqual([null, true])
      for (const encoding of encodings) {
        const answer = await fixture.bytes('GET', path, { 'accept-encoding': encoding })
        expect([path, getEncoding(answer), answer.headers.get('etag')]).toEqual([path, encoding, `W/${tag}`])
        expect(decode(answer)).toBe(decode(plain))
        for (const given of [tag, `W/${tag}`]) {
          const again = await fixture.bytes('GET', path, { 'accept-encoding': encoding, 'if-none-match': given })
          expect([again.status, again.bytes.length]).toEqual([304, 0])
        }
      }
    }
  })
})
