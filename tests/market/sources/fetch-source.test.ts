import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { boeBankRate } from '../../../server/market/sources/boe-iadb.ts'
import { currencyApi } from '../../../server/market/sources/currency-api.ts'
import { ecbFxDaily, ecbFxHistory } from '../../../server/market/sources/eurofxref.ts'
import { type FetchLimits, type FetchOptions, fetchSource, usualLimits, type Validators } from '../../../server/market/sources/fetch-source.ts'
import { type Source, SourceError } from '../../../server/market/sources/source.ts'
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

/** What is said about an answer that cannot be used. */
async function problemOf(fetched: Promise<unknown>): Promise<string> {
  const error = await fetched.then(
    () => undefined,
    (fault: unknown) => fault,
  )
  expect(error).toBeInstanceOf(SourceError)
  return error instanceof SourceError ? error.message : ''
}

/** A zip archive with one file, as small as one can be. */
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

describe('a good answer', () => {
  test('is taken with what it says of itself; the caller says who it is', async () => {
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

  test('is not sent again while it is unchanged', async () => {
    const site = await publisher(says('', {}, 304))
    expect(await take(site.url, { validators: { etag: '"a1"', lastModified: 'Fri, 20 Nov 2026 09:30:00 GMT' } })).toEqual({ changed: false })
    expect(site.requests[0]?.headers).toMatchObject({ 'if-none-match': '"a1"', 'if-modified-since': 'Fri, 20 Nov 2026 09:30:00 GMT' })
    // A 304 to a question that was not asked would leave us without data for ever.
    expect(await problemOf(take(site.url))).toContain('status 304')
  })

  test('may be packed and may be elsewhere', async () => {
    const site = await publisher((request, response) => {
      if (request.url === '/file') says('', { location: '/moved' }, 302)(request, response)
      else says(gzipSync(csv), { 'content-type': 'text/csv', 'content-encoding': 'gzip' })(request, response)
    })
    expect(await take(site.url)).toMatchObject({ text: csv })
  })

  test('may be a zip archive, which is how the ECB serves the history', async () => {
    const history = sample('eurofxref-hist.csv')
    const site = await publisher(says(zipped(history), { 'content-type': 'application/zip' }))
    expect(await take(site.url, { source: ecbFxHistory })).toMatchObject({ text: history })
  })
})

describe('an answer that cannot be used', () => {
  test.each([
    [
      'a page instead of CSV',
      says(webPage, { 'content-type': 'text/html' }),
      boeBankRate,
      'The address answered with a web page instead of CSV. Open the address in a browser',
    ],
    ['a page that calls itself CSV', says(`\n  ${webPage}`), boeBankRate, 'answered with a web page instead of CSV'],
    ['a page instead of XML', says(`<!-- site -->\n${webPage}`, { 'content-type': 'text/xml' }), ecbFxDaily, 'answered with a web page instead of XML'],
    ['a page instead of JSON', says(webPage, { 'content-type': 'application/json' }), currencyApi, 'answered with a web page instead of JSON'],
    [
      'markup of another kind',
      says('<Error><Code>AccessDenied</Code></Error>', { 'content-type': 'application/xml' }),
      boeBankRate,
      'answered with markup instead of CSV',
    ],
    ['nothing', says('\r\n'), boeBankRate, 'The answer is empty.'],
    ['another encoding', says(Buffer.from([0x44, 0x41, 0x54, 0x45, 0xa3, 0x0a])), boeBankRate, 'not text in UTF-8'],
    [
      'an address that is gone',
      says(webPage, { 'content-type': 'text/html' }, 404),
      boeBankRate,
      'status 404. The file has moved: open the address in a browser and give the right one in MARKET_SOURCES',
    ],
    ['a refusal', says(webPage, { 'content-type': 'text/html' }, 403), boeBankRate, 'status 403. The publisher refuses the request'],
    ['an archive that was cut off', says(zipped(csv).subarray(0, 120)), ecbFxHistory, 'The archive has no directory: it was cut off.'],
    [
      'a damaged archive',
      says(Buffer.concat([zipped(csv).subarray(0, 60), Buffer.alloc(8), zipped(csv).subarray(68)])),
      ecbFxHistory,
      'The archive cannot be unpacked',
    ],
    [
      'an archive that would grow too large',
      says(zipped('0'.repeat(1_000_000))),
      ecbFxHistory,
      'The file in the archive has 1000000 bytes, more than the 65536 that are taken.',
    ],
  ])('%s', async (_name, answer, source, message) => {
    const site = await publisher(answer)
    expect(await problemOf(take(site.url, { source }))).toContain(message)
    expect(site.requests).toHaveLength(1)
  })

  test('one without an end is left as soon as it is too large', async () => {
    let closed: () => void = () => undefined
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve
    })
    const site = await publisher(drips('18 Dec 2025,3.75\r\n'.repeat(1_000), 1, () => closed()))
    expect(await problemOf(take(site.url))).toContain('The answer is larger than 65536 bytes.')
    await hungUp
    expect(site.requests).toHaveLength(1)
  })

  test('one that unpacks without end is left as soon as it is too large', async () => {
    const site = await publisher(says(gzipSync(Buffer.alloc(20 * 1024 * 1024)), { 'content-type': 'text/csv', 'content-encoding': 'gzip' }))
    expect(await problemOf(take(site.url))).toContain('larger than 65536 bytes')
  })
})

describe('an answer that may come yet', () => {
  test('one that takes too long is asked for again, so many times', async () => {
    const site = await publisher(drips('18 Dec 2025,3.75\r\n', 20))
    const begun = Date.now()
    expect(await problemOf(take(site.url, { limits: { attemptMs: 100 } }))).toContain('did not answer in full within 0.1 seconds. The publisher may be busy')
    expect(site.requests).toHaveLength(3)
    expect(Date.now() - begun).toBeLessThan(5_000)
  })

  test('all attempts together have a time', async () => {
    const site = await publisher(() => undefined)
    const begun = Date.now()
    expect(await problemOf(take(site.url, { limits: { attemptMs: 300, totalMs: 350, attempts: 50 } }))).toContain('did not answer in full')
    expect(Date.now() - begun).toBeLessThan(5_000)
    expect(site.requests.length).toBeLessThanOrEqual(2)
  })

  test('one that breaks off is asked for again', async () => {
    const site = await publisher(inTurn(breaksOff(csv), says(csv)))
    expect(await take(site.url)).toMatchObject({ text: csv })
    expect(site.requests).toHaveLength(2)
    site.answer = breaksOff(csv)
    expect(await problemOf(take(site.url))).toContain('broke off its answer')
  })

  test('nobody there', async () => {
    const site = await publisher(says(csv))
    const gone = site.url.replace(/:\d+/, ':9')
    expect(await problemOf(take(gone))).toContain('could not be reached')
  })

  test.each([429, 500, 502, 503, 504])('status %i is asked again', async (status) => {
    const site = await publisher(inTurn(says('busy', {}, status), says('busy', {}, status), says(csv)))
    expect(await take(site.url)).toMatchObject({ text: csv })
    expect(site.requests).toHaveLength(3)
  })

  test('Retry-After is kept to', async () => {
    const site = await publisher(inTurn(says('busy', { 'retry-after': '1' }, 503), says(csv)))
    const begun = Date.now()
    expect(await take(site.url)).toMatchObject({ text: csv })
    expect(Date.now() - begun).toBeGreaterThanOrEqual(990)
  })

  test.each(['3600', new Date(Date.now() + 3_600_000).toUTCString()])(
    'Retry-After: %s is longer than there is time: it is left for the next turn',
    async (header) => {
      const site = await publisher(says('busy', { 'retry-after': header }, 429))
      expect(await problemOf(take(site.url))).toContain('status 429')
      expect(site.requests).toHaveLength(1)
    },
  )

  test('a service that stops does not wait', async () => {
    const site = await publisher(drips('18 Dec 2025,3.75\r\n', 20))
    const stopping = new AbortController()
    const fetched = take(site.url, { signal: stopping.signal })
    setTimeout(() => stopping.abort(new Error('stopping')), 100)
    await expect(fetched).rejects.toThrow('stopping')
  })

  test('the usual limits have an end', () => {
    expect(usualLimits).toEqual({ attemptMs: 20_000, totalMs: 60_000, maximumBytes: 16_777_216, attempts: 3, backoffMs: 1_000 })
  })
})
