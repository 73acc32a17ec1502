import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { scopeNames } from '#server/api/contract/access.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Caller, onEachMount } from '../v1/support/fixture.ts'
import { configChanged } from '../v1/support/operator.ts'
import { modernRequest, post, request } from './support/ask.ts'

type Listed = {
  name: string
  title: string
  description: string
  inputSchema: { properties: Record<string, Record<string, unknown>>; required?: string[]; additionalProperties: boolean }
  outputSchema: { properties: { data: object; meta: object } }
  annotations: object
}

/** Returns the arguments that tools have in addition to their endpoint's own parameters. */
const listArguments = (entry: (typeof registry)[number] | undefined) => [
  ...(entry?.kind === 'list' ? ['limit', 'cursor'] : []),
  ...(entry?.fields.length ? ['fields'] : []),
]

onEachMount((fixture) => {
  let sample: Caller

  beforeAll(async () => {
    sample = await fixture.test()
  })

  async function list(caller: Caller): Promise<Listed[]> {
    return (await post(fixture, request('tools/list'), caller.key)).body.result.tools
  }

  const names = async (caller: Caller) => (await list(caller)).map(({ name }) => name)

  /** Returns the endpoints that `/me` reports as callable, which the list must match. */
  async function callable(caller: Caller): Promise<Set<string>> {
    const { body } = await fixture.get('/me', caller.key)
    const rows: { path: string; callable: boolean }[] = body.data.endpoints
    // Endpoints about the account are not tools.
    return new Set(rows.filter((row) => row.callable).flatMap(({ path }) => registry.find((entry) => entry.path === path)?.tool ?? []))
  }

  verifies('tools/list-shows-all', async () => {
    for (const caller of [sample, await fixture.live({ plan: 'enterprise' }), await fixture.live({ plan: 'hobby' })]) {
      const listed = await names(caller)
      expect(listed).toHaveLength(38)
      expect(new Set(listed)).toEqual(new Set(registry.filter(({ live }) => live !== 'coming-soon').map(({ tool }) => tool)))
    }
  })

  test.each(['hobby', 'enterprise'] as const)(
    'for a live key on the %s plan, lists callable tools first, and states why the others cannot be called',
    async (plan) => {
      const caller = await fixture.live({ plan })
      const can = await callable(caller)
      const listed = await list(caller)
      expect(new Set(listed.slice(0, can.size).map(({ name }) => name))).toEqual(can)
      expect(can.size).toBeLessThan(38)
      for (const [at, { description }] of listed.entries()) expect(description.includes(' Not callable with this key: ')).toBe(at >= can.size)
      const getDescription = (name: string) => listed.find((tool) => tool.name === name)?.description
      expect(getDescription('cards_rewards')).toContain('Not callable with this key: This endpoint only accepts test keys for now.')
      if (plan === 'hobby') expect(getDescription('history')).toContain('Not callable with this key: This endpoint needs the Enterprise plan.')
    },
  )

  test('omits tools whose scope the key lacks', async () => {
    for (const scope of scopeNames) {
      const caller = await fixture.getKey(sample.account, { mode: 'test', scopes: [scope] })
      const wanted = registry.filter(
        (entry) => entry.live !== 'coming-soon' && (entry.scope === 'any-key' || entry.scope === scope || entry.scope.includes(scope as never)),
      )
      expect([scope, new Set(await names(caller))]).toEqual([scope, new Set(wanted.map(({ tool }) => tool))])
    }
  })

  test('reflects availability overrides', async () => {
    const caller = await fixture.live({ plan: 'enterprise' })
    const first = async () => (await list(caller)).filter(({ description }) => !description.includes('Not callable')).map(({ name }) => name)
    expect(await first()).not.toContain('cards_rewards')
    const set = async (id: string, availability: string) => {
      await fixture.sql('INSERT INTO endpoint_override (endpoint_id, availability) VALUES ($1, $2)', [id, availability])
      await configChanged(fixture)
    }
    try {
      await set('cards.rewards', 'open')
      await set('rates.link', 'coming-soon')
      expect(await first()).toContain('cards_rewards')
      expect(await names(caller)).not.toContain('rates_link')
    } finally {
      await fixture.sql('DELETE FROM endpoint_override')
      await configChanged(fixture)
    }
  })

  verifies('tools/name-rates', async () => {
    const properties = (await list(sample)).find(({ name }) => name === 'rates')?.inputSchema.properties ?? {}
    expect(Object.keys(properties)).toEqual([
      ...['type', 'provider', 'amount', 'payable', 'minRate', 'maxRate', 'minBalance', 'sourceKey', 'minTermMonths', 'maxTermMonths', 'maxNoticeDays'],
      ...['access', 'interestPaid', 'newCustomersOnly', 'fscsGroup', 'q', 'updatedSince', 'withdrawn', 'asOf', 'sort', 'limit', 'cursor', 'fields'],
    ])
    expect(properties['type']).toMatchObject({ type: 'string', enum: expect.arrayContaining(['all', 'easy-access', 'childrens-savings']) })
    expect(properties['amount']).toMatchObject({ type: 'number', minimum: 0 })
    expect(properties['limit']).toMatchObject({ type: 'integer', minimum: 1, default: 10 })
    expect(properties['limit']).not.toHaveProperty('maximum')
    expect(properties['fields']).toMatchObject({ type: 'array', items: { enum: expect.arrayContaining(['sourceKey', 'rate']) } })
  })

  verifies('tools/name-rates-link', async () => {
    const { inputSchema } = (await list(sample)).find(({ name }) => name === 'rates_link') ?? {}
    expect(inputSchema).toMatchObject({ properties: { sourceKey: { type: 'string' } }, required: ['sourceKey'], additionalProperties: false })
  })

  describe('every tool', () => {
    test('describes its purpose, use and price, and has annotations', async () => {
      for (const { name, title, description, annotations } of await list(sample)) {
        const entry = registry.find(({ tool }) => tool === name)
        expect(description).toContain(entry?.summary)
        expect([name, description]).toEqual([name, expect.stringMatching(/ Use it to \w.*\. /)])
        expect(description).toMatch(entry?.price.credits === 0 ? /Free\./ : new RegExp(`Costs ${entry?.price.credits} credits?( per row, so up to \\d+|\\. )`))
        expect(title.length).toBeGreaterThan(5)
        expect(annotations).toEqual({ title, readOnlyHint: true, idempotentHint: false, openWorldHint: false })
      }
    })

    test('has schemas that a strict validator accepts', async () => {
      const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, formats: { uri: true, 'date-time': true, date: true } })
      for (const { name, inputSchema, outputSchema } of await list(sample)) {
        const entry = registry.find(({ tool }) => tool === name)
        expect(() => [ajv.compile(inputSchema), ajv.compile(outputSchema)], name).not.toThrow()
        expect(Object.keys(outputSchema.properties)).toEqual(['data', 'meta'])
        expect([name, inputSchema.additionalProperties]).toEqual([name, false])
        for (const [parameter, schema] of Object.entries(inputSchema.properties))
          expect([name, parameter, typeof schema['description']]).toEqual([name, parameter, 'string'])
        expect(Object.keys(inputSchema.properties)).toEqual([...Object.keys(entry?.input.shape ?? {}), ...listArguments(entry)])
      }
    })

    verifies('tools/single-types', async () => {
      for (const { name, inputSchema, outputSchema } of await list(sample)) {
        // A list of types is an array of names; a property named "type" would be a schema.
        expect([name, JSON.stringify([inputSchema, outputSchema]).match(/"type":\[[^\]]*\]/)]).toEqual([name, null])
      }
    })

    test('is listed identically in both protocol generations', async () => {
      const { body, headers } = modernRequest('tools/list')
      const answer = await post(fixture, body, sample.key, headers)
      expect(answer.body.result.tools).toEqual(await list(sample))
    })
  })

  test('lists every tool, price and error in the documentation index, without broken links', async () => {
    const { body } = await post(fixture, request('resources/read', { uri: 'svc://docs/index' }), sample.key)
    const text: string = body.result.contents[0].text
    for (const { tool, path } of registry) expect(text).toContain(`\`${tool}\` (`.concat(path === '/assistant' ? 'POST ' : 'GET ', path, ')'))
    const links = [...text.matchAll(/\]\((https:[^)]+)\)/g)].map(([, link]) => link ?? '')
    expect(links.length).toBeGreaterThan(15)
    // Only the Next mount serves pages.
    if (fixture.mount === 'next')
      for (const link of links) expect([link, (await fetch(fixture.service.origin + new URL(link).pathname)).status]).toEqual([link, 200])
  })

  test('the prompt accepts the same values as its tools, and passes amounts as JSON numbers', async () => {
    const get = async (args: object) => (await post(fixture, request('prompts/get', { name: 'compare_accounts', arguments: args }), sample.key)).body
    const amounts = { '500': 500, '007': 7, '00099.5': 99.5, '0.01': 0.01 }
    for (const [amount, number] of Object.entries(amounts)) {
      const { text } = (await get({ amount })).result.messages[0].content
      const calls = [...text.matchAll(/\{"amount": [^}]*\}/g)].map(([json]) => JSON.parse(json ?? ''))
      expect(calls).toEqual([
        { amount: number, limit: 5 },
        { amount: number, months: 12 },
      ])
    }
    expect((await get({ amount: '0099.5' })).result.messages[0].content.text).toContain('accounts for £99.50.')
    for (const amount of ['0', '0.00']) expect((await get({ amount })).error.message).toContain('"amount" must be an amount in pounds from 0.01 to')
    for (const args of [{}, { amount: 'much' }, { amount: '500', type: 'none' }, { amount: '500', colour: 'red' }, { amount: 5 }]) {
      expect((await get(args)).error.code).toBe(-32602)
    }
    expect((await post(fixture, request('prompts/get', { name: 'none' }), sample.key)).body.error.code).toBe(-32602)
  })
})

describe('names', () => {
  const getTool = (path: string) => registry.find((entry) => entry.path === path)?.tool

  verifies('tools/name-reference-products', () => expect(getTool('/reference/products')).toBe('reference_products'))
  verifies('tools/name-reference-providers', () => expect(getTool('/reference/providers')).toBe('reference_providers'))
  verifies('tools/name-reference-cards', () => expect(getTool('/reference/cards')).toBe('reference_cards'))
  verifies('tools/name-reference-currencies', () => expect(getTool('/reference/currencies')).toBe('reference_currencies'))
  verifies('tools/name-reference-account-types', () => expect(getTool('/reference/account-types')).toBe('reference_account_types'))
  verifies('tools/name-reference-fscs', () => expect(getTool('/reference/fscs')).toBe('reference_fscs'))

  const words = (path: string) =>
    path
      .split('/')
      .filter((part) => part !== '' && !part.startsWith('{'))
      .join('_')
      .replaceAll('-', '_')

  verifies('tools/names-from-paths', () => {
    for (const { path, tool } of registry) expect([path, tool.replace(/_get$/, '')]).toEqual([path, words(path)])
  })

  verifies('tools/names-get-for-items', () => {
    expect([getTool('/rates/{sourceKey}'), getTool('/providers/{slug}')]).toEqual(['rates_get', 'providers_get'])
    const twice = registry.filter(({ path }) => registry.filter((other) => words(other.path) === words(path)).length > 1)
    for (const { path, tool } of twice) expect([path, tool]).toEqual([path, path.endsWith('}') ? `${words(path)}_get` : words(path)])
    expect(registry.filter(({ tool }) => tool.endsWith('_get'))).toHaveLength(twice.length / 2)
  })
})
