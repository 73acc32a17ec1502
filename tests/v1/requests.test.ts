import { expect } from 'vitest'
import { includesPlan, planNames } from '#server/api/contract/access.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type ApiAnswer, onEachMount } from './support/fixture.ts'
import { getTarget } from './support/target.ts'

const getMessage = (answer: ApiAnswer): string => {
  expectError(answer, 400, 'invalid_request')
  return answer.body.message
}

onEachMount((fixture) => {
  verifies('request/unknown-parameter-400', async () => {
    const { key } = await fixture.live()
    expect(getMessage(await fixture.get('/rates?tpye=notice', key))).toBe(
      `Unknown parameter "tpye". Did you mean "type"? Valid parameters: type, provider, amount, payable, minRate, maxRate, minBalance, sourceKey, minTermMonths, maxTermMonths, maxNoticeDays, access, interestPaid, newCustomersOnly, fscsGroup, q, updatedSince, withdrawn, asOf, sort, limit, cursor, fields.`,
    )
    expect(getMessage(await fixture.get('/rates?Limit=3', key))).toContain('Did you mean "limit"?')
    expect(getMessage(await fixture.get('/reference/products?typ=notice', key))).toContain('Did you mean "type"?')
    expect(getMessage(await fixture.get('/ping?limit=3', key))).toBe('Unknown parameter "limit". This endpoint takes no parameters.')
    expect(getMessage(await fixture.get('/rates?zzzzzzzzzz=1', key))).not.toContain('Did you mean')
    const ofPath = (name: string) => `Unknown parameter "${name}". This endpoint takes no query parameters.`
    expect(getMessage(await fixture.get(`/rates/${await fixture.productKey()}?fields=rate`, key))).toBe(ofPath('fields'))
    expect(getMessage(await fixture.get(`/rates/${await fixture.productKey()}?sourceKey=x`, key))).toBe(ofPath('sourceKey'))
    for (const name of ['__proto__', 'constructor', 'sourceKeys', 'toString', 'page', 'type[]', 'a'.repeat(3_000)]) {
      expect(getMessage(await fixture.get(`/rates?${name}=1`, key))).toContain('Unknown parameter')
    }
    expect(getMessage(await fixture.get('/providers?sourceKey=1', key))).toContain('Unknown parameter')
  })

  verifies('request/unknown-field-400', async () => {
    const { key } = await fixture.live()
    expect(getMessage(await fixture.get('/rates?fields=rate,providr', key))).toMatch(
      /^"providr" is not a field of this list\. Did you mean "provider"\? Valid fields: sourceKey, /,
    )
    for (const fields of ['rate,', ',rate', 'Rate', 'rate;provider', 'rate%00', '__proto__', 'rate%2Crates', '*']) {
      expect(getMessage(await fixture.get(`/rates?fields=${fields}`, key)), fields).toContain('is not a field')
    }
  })

  verifies('request/field-above-plan-400', async () => {
    for (const [plan, label] of [
      ['hobby', 'Hobby'],
      ['business', 'Business'],
    ] as const) {
      const { key, account } = await fixture.live({ plan })
      for (const fields of ['providerLogoUrl', 'sourceKey,providerLogoUrl', 'providerLogoUrl,%20rate']) {
        expect(getMessage(await fixture.get(`/rates?limit=2&fields=${fields}`, key)), fields).toBe(
          `"providerLogoUrl" in "fields" needs the Enterprise plan. Your account is on ${label}.`,
        )
      }
      expect(await fixture.balance(account)).toBe(100)
    }
    const withLogos = [await fixture.live({ plan: 'enterprise' }), await fixture.test({ plan: 'hobby' })]
    for (const { key } of withLogos) {
      const { status, body } = await fixture.get('/rates?limit=2&fields=providerLogoUrl', key)
      expect([status, body.data.map(Object.keys)]).toEqual([200, [['providerLogoUrl'], ['providerLogoUrl']]])
    }
  })

  verifies(
    'request/field-above-plan-400',
    'rejects every field that the plan excludes, and serves every other field, on any list and plan',
    async () => {
      for (const plan of planNames) {
        const { key } = await fixture.live({ plan, credits: 10_000, perMinute: 10_000 })
        const lists = registry.filter((entry) => entry.kind === 'list' && entry.live === 'open' && includesPlan(plan, entry.plan ?? plan))
        for (const entry of lists) {
          const check = async (field: string) => {
            const { status, body } = await fixture.get(await getTarget(fixture, entry, 'live', `limit=1&fields=${field}`), key)
            const isServed = status === 200 && body.data.every((row: object) => Object.hasOwn(row, field))
            const isRefused = status === 400 && body.message.startsWith(`"${field}" in "fields"`)
            expect(isServed || isRefused || body, `${plan} ${entry.path} ${field}`).toBe(true)
          }
          await Promise.all(entry.fields.map(check))
        }
      }
    },
    60_000,
  )

  verifies('request/bad-enum-400', async () => {
    const { key } = await fixture.live()
    expect(getMessage(await fixture.get('/rates?type=easy-acess', key))).toBe(
      '"easy-acess" is not a valid "type". Did you mean "easy-access"? Valid values: all, easy-access, fixed-rate, notice, cash-isa, junior-isa, lifetime-isa, stocks-shares-isa, regular-saver, childrens-savings.',
    )
    for (const type of ['Notice', 'isa', 'notice%20', 'all,notice', 'toString'])
      expect(getMessage(await fixture.get(`/reference/products?type=${type}`, key)), type).toContain('"type"')
  })

  verifies('request/bad-enum-400', 'rejects an unknown provider and suggests the closest one', async () => {
    const { key } = await fixture.live()
    const [provider] = await fixture.sql<{ slug: string }>(`SELECT slug FROM provider WHERE dataset = 'live' AND length(slug) > 6 ORDER BY slug LIMIT 1`)
    const slug = provider?.slug ?? ''
    for (const path of ['/rates', '/reference/products']) {
      expect(getMessage(await fixture.get(`${path}?provider=${slug}x`, key))).toContain(`Did you mean "${slug}"?`)
    }
    expect(getMessage(await fixture.get(`/rates?provider=${'a'.repeat(201)}`, key))).toContain('"provider"')
  })

  verifies('errors/invalid-request', 'names the parameter and the valid range for an invalid amount', async () => {
    const { key } = await fixture.live()
    const bad = ['-1', '1.234', '1e3', '0x10', '1,000', '£100', 'ten', '.5', '5.', '%20', '1000000000.01', '9999999999999', 'NaN', 'Infinity']
    for (const amount of bad) {
      expect(getMessage(await fixture.get(`/rates?amount=${amount}`, key)), amount).toBe(
        '"amount" must be an amount in pounds from 0 to 1000000000 with at most two decimals, such as 20000 or 99.50.',
      )
    }
    for (const amount of ['0', '0.01', '99.5', '20000', '1000000000', '007'])
      expect((await fixture.get(`/rates?amount=${amount}&limit=1`, key)).status, amount).toBe(200)
  })

  verifies('request/repeated-parameter-400', async () => {
    const { key } = await fixture.live()
    for (const query of ['limit=1&limit=1', 'type=notice&type=all', 'limit=1&fields=rate&limit=2', 'cursor=a&cursor=a']) {
      expect(getMessage(await fixture.get(`/rates?${query}`, key)), query).toContain('more than once')
    }
  })

  verifies('request/empty-parameter-400', async () => {
    const { key } = await fixture.live()
    for (const name of ['type', 'provider', 'amount', 'limit', 'cursor', 'fields']) {
      expect(getMessage(await fixture.get(`/rates?${name}=`, key))).toBe(`"${name}" is empty. Give it a value, or omit it.`)
      expect(getMessage(await fixture.get(`/rates?${name}`, key))).toContain(`"${name}" is empty`)
    }
    expect((await fixture.get('/rates?', key)).status).toBe(200)
    expect((await fixture.get('/rates?&&', key)).status).toBe(200)
  })

  verifies(['request/wrong-method-404', 'request/wrong-method-allow'], async () => {
    const { key, account } = await fixture.live()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const path of ['/rates', '/rates/x', '/ping', '/history', '/market/overview']) {
        const answer = await fixture.send(method, path, key)
        expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([method, path, 404, 'GET, HEAD'])
        expectError(answer, 404, 'not_found')
      }
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await fixture.send(method, '/assistant', key)
      expectError(answer, 404, 'not_found')
      expect(answer.headers.get('allow')).toBe('POST')
    }
    expect(await fixture.balance(account)).toBe(100)
  })

  verifies('errors/not-found-route', 'returns 404 for an unknown route with every method', async () => {
    const { key } = await fixture.live()
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await fixture.send(method, '/none', key)
      expectError(answer, 404, 'not_found')
      expect(answer.headers.get('allow'), method).toBeNull()
    }
    expect((await fixture.send('HEAD', '/none', key)).status).toBe(404)
  })

  verifies('request/wrong-method-404', 'returns 404 for unusual methods', async () => {
    const { key } = await fixture.live()
    for (const method of ['TRACE', 'PROPFIND', 'PURGE', 'QUERY', 'LINK']) {
      const answer = await fixture.raw(method, '/v1/rates', { authorization: `Bearer ${key}` })
      expectError(answer, 404, 'not_found')
      expect(answer.headers.get('allow'), method).toBe('GET, HEAD')
    }
  })

  verifies('errors/not-found-route', 'returns 404 for a malformed or misspelt path, and never redirects', async () => {
    const { key } = await fixture.live()
    for (const path of [
      '//rates',
      '/rates//x',
      '/rates/%zz',
      '/rates/%ff',
      '/rates/%00',
      '/rates\\x',
      '/%72ates',
      '/rates/a%2Fb',
      '/rates/;x',
      '/rates/%',
      '/Rates',
      '/rates/x/',
    ]) {
      expectError(await fixture.raw('GET', `/v1${path}`, { authorization: `Bearer ${key}` }), 404, 'not_found')
    }
  })

  verifies('versioning/v1-in-the-path', async () => {
    const { key } = await fixture.live()
    const headers = { authorization: `Bearer ${key}` }
    expect((await fixture.raw('GET', '/v1/ping', headers)).body.data.ok).toBe(true)
    for (const target of ['/ping', '/v2/ping', '/v1ping', '/V1/ping', '/v10/ping']) expect((await fixture.raw('GET', target, headers)).status, target).toBe(404)
  })
})
