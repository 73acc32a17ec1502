import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type Caller, onEachMount } from './support/fixture.ts'

onEachMount((fixture) => {
  verifies('errors/message', 'explains an unknown path or method', async () => {
    const { key } = await fixture.live()
    const overview = '/v1/me lists every endpoint with its method, for free.'
    expect((await fixture.get('/something/else', key)).body.message).toBe(`This route does not exist. ${overview}`)
    expect((await fixture.send('DELETE', '/rates', key)).body.message).toBe(`This path only supports GET and HEAD. Call it with GET. ${overview}`)
    const { body } = await fixture.get('/me', key)
    expect(body.data.endpoints[0]).toMatchObject({ method: 'GET', path: '/ping' })
  })

  verifies('errors/message', 'explains an unknown key or slug, and suggests the closest one from the same market', async () => {
    const live = await fixture.live()
    const test = await fixture.test()
    const getMessage = async (path: string, { key }: Caller) => {
      const answer = await fixture.get(path, key)
      expectError(answer, 404, 'not_found')
      return answer.body.message as string
    }
    const said = (kind: string, near: string) => new RegExp(`^There is no ${kind} ".+"\\. Did you mean "${near}"\\? See /reference/${kind}s\\.$`)
    const typo = (name: string) => `${name.slice(0, -1)}~`
    for (const [caller, dataset, other] of [
      [live, 'live', 'sample'],
      [test, 'sample', 'live'],
    ] as const) {
      const product = await fixture.productKey(dataset)
      const [provider] = await fixture.sql<{ slug: string }>('SELECT slug FROM provider WHERE dataset = $1 ORDER BY slug LIMIT 1', [dataset])
      const slug = provider?.slug ?? ''
      for (const path of [`/rates/${typo(product)}`, `/rates/${typo(product)}/link`, `/simulate?sourceKey=${typo(product)}&amount=1&months=1`]) {
        expect(await getMessage(path, caller)).toMatch(said('product', product))
      }
      expect(await getMessage(`/providers/${typo(slug)}`, caller)).toMatch(said('provider', slug))
      expect(await getMessage(`/assets/providers/${typo(slug)}`, caller)).toMatch(said('provider', slug))
      // Keys and names from the other market are never suggested.
      expect(await getMessage(`/rates/${await fixture.productKey(other)}`, caller)).not.toContain(`mean "${await fixture.productKey(other)}"`)
    }
    expect(await getMessage('/providers/qqqqqqqqqqqqqqqqqqqqqqq', live)).toBe('There is no provider "qqqqqqqqqqqqqqqqqqqqqqq". See /reference/providers.')
    expect(await getMessage('/assets/cards/none', test)).toBe('There is no card "none". See /reference/cards.')
  })
})
