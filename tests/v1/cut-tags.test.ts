/** Tests the ETags of pages that were truncated because of the balance or a cap. The ETag of such a page matches only until the caller can afford more rows. */
import { expect } from 'vitest'
import { adjustCredits } from '#server/billing/ledger.ts'
import { verifies } from '../requirements/verifies.ts'
import { onEachMount } from './support/fixture.ts'

onEachMount((fixture) => {
  const ask = (key: string, tag: string, headers: Record<string, string> = {}) => fixture.get('/rates', key, { ...headers, 'if-none-match': tag })
  const getTag = ({ headers }: { headers: Headers }) => headers.get('etag') ?? ''

  verifies('charge/never-for-304', 'returns a free 304 if a cut page is requested again with its ETag and the same X-SVC-Max-Credits', async () => {
    const { key, account } = await fixture.live({ credits: 20 })
    const ceiling = { 'x-svc-max-credits': '3' }
    const cut = await fixture.get('/rates', key, ceiling)
    expect([cut.status, cut.body.data.length, await fixture.balance(account)]).toEqual([200, 3, 17])
    expect((await ask(key, getTag(cut), ceiling)).status).toBe(304)
    expect(await fixture.balance(account)).toBe(17)
    // With a higher X-SVC-Max-Credits, or none, the page has more rows.
    const more = await ask(key, getTag(cut), { 'x-svc-max-credits': '4' })
    expect([more.status, more.body.data.length, more.body.meta.creditsCharged]).toEqual([200, 4, 4])
    const all = await ask(key, getTag(cut))
    expect([all.status, all.body.data.length, await fixture.balance(account)]).toEqual([200, 10, 3])
    // If the caller sends both ETags, the full page matches.
    expect((await ask(key, `${getTag(cut)}, ${getTag(all)}`)).headers.get('etag')).toBe(getTag(all))
  })

  verifies('spending/304-at-balance-0', 'returns 304 for the ETag of a page that was cut to the remaining balance', async () => {
    const { key } = await fixture.live({ credits: 3 })
    const cut = await fixture.get('/rates', key)
    expect([cut.body.data.length, cut.body.meta.creditsBalance]).toEqual([3, 0])
    const again = await ask(key, getTag(cut))
    expect([again.status, again.text, again.headers.get('x-svc-credits-balance')]).toEqual([304, '', '0'])
  })

  verifies('request/etag-differs-by-limit', 'changes the ETag of a cut page once the balance or the cap covers more rows', async () => {
    const [poor, capped, spender] = [await fixture.live({ credits: 2 }), await fixture.live({ credits: 20 }), await fixture.live({ credits: 20 })]
    await fixture.sql('UPDATE key_meter SET month_cap = 2 WHERE account_id = $1', [capped.account.id])
    await fixture.sql('UPDATE wallet SET month_cap = 2 WHERE account_id = $1', [spender.account.id])
    const raised = [
      [poor, () => adjustCredits(fixture.pool, poor.account.id, 3, 'Topped up.')],
      [capped, () => fixture.sql('UPDATE key_meter SET month_cap = 5 WHERE account_id = $1', [capped.account.id])],
      [spender, () => fixture.sql('UPDATE wallet SET month_cap = 5 WHERE account_id = $1', [spender.account.id])],
    ] as const
    for (const [{ key }, raise] of raised) {
      const cut = await fixture.get('/rates', key)
      expect(cut.body.data.length).toBe(2)
      expect((await ask(key, getTag(cut))).status).toBe(304)
      await raise()
      const longer = await ask(key, getTag(cut))
      expect([longer.status, longer.body.data.length, longer.headers.get('x-svc-limit-reduced')]).toEqual([200, 3, '3'])
    }
  })

  verifies('request/etag-differs-by-limit', 'never returns 304 to a test key for the ETag of a cut page', async () => {
    const { key } = await fixture.test()
    const whole = await fixture.get('/rates', key)
    expect((await ask(key, getTag(whole).replace(/"$/, '-2"'))).status).toBe(200)
  })
})
