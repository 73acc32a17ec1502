import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { boeBankRate } from '#server/market/sources/boe-iadb.ts'
import { currencyApi } from '#server/market/sources/currency-api.ts'
import { ecbFxDaily, ecbFxHistory } from '#server/market/sources/eurofxref.ts'
import { type FetchLimits, type FetchOptions, fetchSource, usualLimits, type Validators } from '#server/market/sources/fetch-source.ts'
import { type Source, SourceError } from '#server/market/sources/source.ts'
import { breaksOff, drips, inTurn, publisher, says } from './publisher.ts'
import { sample, webPage } from './samples.ts'

const none: Validators = { etag: null, lastModified: null }
const csv = sample('boe-iadb-IUDBEDR.csv')
const quick: FetchLimits = { attemptMs: 4_000, totalMs: 10_000, maximumBytes: 64 * 1024, attempts: 3, backoffMs: 10 }

type Given = { source?: Source; validators?: Validators; limits?: Partial<FetchLimits>; signal?: AbortSignal }

function take(url: string, { source = boeBankRate, validators = none, limits = {}, signal }: Given = {}) {
  const options: FetchOptions = { contact: 'https://api.example.test', now: () => Date.now(), signal, limits: { ...quick, ...limits } }
  return fetchSource({ source, url }, validators, options)
}

/** Returns the error message of a failed fetch. */
async function getProblem(fetched: Promise<unknown>): Promise<string> {
  const error = await fetched.then(
    () => undefined,
    (fault: unknown) => fault,
  )
  expect(error).toBeInstanceOf(SourceError)
  return error instanceof SourceError ? error.message : ''
}

/** Builds a minimal zip archive with one file. */
function zipped(text: string, name = 'eurofxref-hist.csv'): Buffer {
  const content = Buffer.from(text)
  const packed = deflateRawSync(content)
  const head = Buffer.alloc(30 + name.length)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE(name.length, 26)
  head.write(name, 30)
  const entry = Buffer.alloc(46 + name.length)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(crc32(content), 16)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(content.length, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.write(name, 46)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(head.length + packed.length, 16)
  return Buffer.concat([head, packed, entry, end])
}

describe('valid responses', () => {
  test('returns the response with its validators, and sends a User-Agent that identifies the service', async () => {
    const site = await publisher(says(csv, { 'content-type': 'application/csv', etag: '"a1"', 'last-modified': 'Fri, 20 Nov 2026 09:30:00 GMT' }))
    const fetched = await take(site.url)
    expect(fetched).toEqual({
      changed: true,
      text: csv,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      etag: '"a1"',
      lastModified: 'Fri, 20 Nov 2026 09:30:00 GMT',
    })
    const { headers } = site.requests[0] ?? {}
    expect(headers?.['user-agent']).toMatch(/^Mozilla\/5\.0 .*Chrome.* savings-rates-data-api\/1\.0 \(\+https:\/\/api\.example\.test\)$/)
    expect(headers?.['if-none-match']).toBeUndefined()
    const json = await publisher(says(sample('npm-currency-api-gbp.json'), { 'content-type': 'application/json' }))
    await take(json.url, { source: currencyApi })
    expect(json.requests[0]?.headers['user-agent']).toBe('savings-rates-data-api/1.0 (+https://api.example.test)')
  })

  test('does not download an unchanged response again', async () => {
    const site = await publisher(says('', {}, 304))
    expect(await take(site.url, { validators: { etag: '"a1"', lastModified: 'Fri, 20 Nov 2026 09:30:00 GMT' } })).toEqual({ changed: false })
    expect(site.requests[0]?.headers).toMatchObject({ 'if-none-match': '"a1"', 'if-modified-since': 'Fri, 20 Nov 2026 09:30:00 GMT' })
    // If an unsolicited 304 were accepted, a source could respond with 304 forever and never return data.
    expect(await getProblem(take(site.url))).toContain('status 304')
  })

  test('accepts compressed and redirected responses', async () => {
    const site = await publisher((request, response) => {
      if (request.url === '/file') says('', { location: '/moved' }, 302)(request, response)
      else says(gzipSync(csv), { 'content-type': 'text/csv', 'content-encoding': 'gzip' })(request, response)
    })
    expect(await take(site.url)).toMatchObject({ text: csv })
  })

  test('accepts a zip archive, as served by the ECB', async () => {
    const history = sample('eurofxref-hist.csv')
    const site = await publisher(says(zipped(history), { 'content-type': 'application/zip' }))
    expect(await take(site.url, { source: ecbFxHistory })).toMatchObject({ text: history })
  })
})

describe('unusable responses', () => {
  test.each([
    [
      'HTML instead of CSV',
      says(webPage, { 'content-type': 'text/html' }),
      boeBankRate,
      'The URL returned a web page instead of CSV. Open the URL in a browser',
    ],
    [
      'HTML labelled as CSV',
      says(`
  ${webPage}`),
      boeBankRate,
      'returned a web page instead of CSV',
    ],
    ['HTML instead of XML', says(`<!-- site -->\n${webPage}`, { 'content-type': 'text/xml' }), ecbFxDaily, 'returned a web page instead of XML'],
    ['HTML instead of JSON', says(webPage, { 'content-type': 'application/json' }), currencyApi, 'returned a web page instead of JSON'],
    ['other markup', says('<Error><Code>AccessDenied</Code></Error>', { 'content-type': 'application/xml' }), boeBankRate, 'returned markup instead of CSV'],
    ['an empty response', says('\r\n'), boeBankRate, 'The response is empty.'],
    ['another encoding', says(Buffer.from([0x44, 0x41, 0x54, 0x45, 0xa3, 0x0a])), boeBankRate, 'not UTF-8 text'],
    [
      'a missing URL',
      says(webPage, { 'content-type': 'text/html' }, 404),
      boeBankRate,
      'status 404. The file has moved: open the URL in a browser and set the correct one in MARKET_SOURCES',
    ],
    ['a rejected request', says(webPage, { 'content-type': 'text/html' }, 403), boeBankRate, 'status 403. The publisher rejected the request'],
    ['a truncated archive', says(zipped(csv).subarray(0, 120)), ecbFxHistory, 'The archive cannot be unpacked'],
    [
      'a corrupt archive',
      says(Buffer.concat([zipped(csv).subarray(0, 60), Buffer.alloc(8), zipped(csv).subarray(68)])),
      ecbFxHistory,
      'The archive cannot be unpacked',
    ],
    [
      'an archive that unpacks beyond the limit',
      says(zipped('0'.repeat(1_000_000))),
      ecbFxHistory,
      'The file in the archive is 1000000 bytes, over the limit of 65536.',
    ],
  ])('rejects %s', async (_name, answer, source, message) => {
    const site = await publisher(answer)
    expect(await getProblem(take(site.url, { source }))).toContain(message)
    expect(site.requests).toHaveLength(1)
  })

  test('stops reading an endless response at the size limit', async () => {
    let closed: () => void = () => undefined
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve
    })
    const site = await publisher(drips('18 Dec 2025,3.75\r\n'.repeat(1_000), 1, () => closed()))
    expect(await getProblem(take(site.url))).toContain('The response is larger than 65536 bytes.')
    await hungUp
    expect(site.requests).toHaveLength(1)
  })

  test('stops decompressing an endless response at the size limit', async () => {
    const site = await publisher(says(gzipSync(Buffer.alloc(20 * 1024 * 1024)), { 'content-type': 'text/csv', 'content-encoding': 'gzip' }))
    expect(await getProblem(take(site.url))).toContain('larger than 65536 bytes')
  })
})

describe('transient failures', () => {
  test('retries a slow response a limited number of times', async () => {
    const site = await publisher(drips('18 Dec 2025,3.75\r\n', 20))
    const begun = Date.now()
    expect(await getProblem(take(site.url, { limits: { attemptMs: 100 } }))).toContain('did not respond within 0.1 seconds. The publisher may be busy')
    expect(site.requests).toHaveLength(3)
    expect(Date.now() - begun).toBeLessThan(5_000)
  })

  test('limits the total time of all attempts', async () => {
    const site = await publisher(() => undefined)
    const begun = Date.now()
    expect(await getProblem(take(site.url, { limits: { attemptMs: 300, totalMs: 350, attempts: 50 } }))).toContain('did not respond')
    expect(Date.now() - begun).toBeLessThan(5_000)
    expect(site.requests.length).toBeLessThanOrEqual(2)
  })

  test('retries an aborted response', async () => {
    const site = await publisher(inTurn(breaksOff(csv), says(csv)))
    expect(await take(site.url)).toMatchObject({ text: csv })
    expect(site.requests).toHaveLength(2)
    site.answer = breaksOff(csv)
    expect(await getProblem(take(site.url))).toContain('closed the connection')
  })

  test('reports an unreachable server', async () => {
    const site = await publisher(says(csv))
    const gone = site.url.replace(/:\d+/, ':9')
    expect(await getProblem(take(gone))).toContain('could not be reached')
  })

  test.each([429, 500, 502, 503, 504])('retries status %i', async (status) => {
    const site = await publisher(inTurn(says('busy', {}, status), says('busy', {}, status), says(csv)))
    expect(await take(site.url)).toMatchObject({ text: csv })
    expect(site.requests).toHaveLength(3)
  })

  test('respects Retry-After', async () => {
    const site = await publisher(inTurn(says('busy', { 'retry-after': '1' }, 503), says(csv)))
    const begun = Date.now()
    expect(await take(site.url)).toMatchObject({ text: csv })
    expect(Date.now() - begun).toBeGreaterThanOrEqual(990)
  })

  test.each(['3600', new Date(Date.now() + 3_600_000).toUTCString()])('gives up if Retry-After: %s exceeds the remaining time', async (header) => {
    const site = await publisher(says('busy', { 'retry-after': header }, 429))
    expect(await getProblem(take(site.url))).toContain('status 429')
    expect(site.requests).toHaveLength(1)
  })

  test('stops waiting when the service stops', async () => {
    const site = await publisher(drips('18 Dec 2025,3.75\r\n', 20))
    const stopping = new AbortController()
    const fetched = take(site.url, { signal: stopping.signal })
    setTimeout(() => stopping.abort(new Error('stopping')), 100)
    await expect(fetched).rejects.toThrow('stopping')
  })

  test('has bounded default limits', () => {
    expect(usualLimits).toEqual({ attemptMs: 20_000, totalMs: 60_000, maximumBytes: 16_777_216, attempts: 3, backoffMs: 1_000 })
  })
})
