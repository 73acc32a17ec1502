import { afterEach, describe, expect, test } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { beginAutoTopUp } from '#server/billing/auto-top-up-decisions.ts'
import { readSavedCards } from '#server/billing/saved-cards.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'
import { Savers, wanted } from './support/savers.ts'
import { cards } from './support/stripe-ledger.ts'
import { type Charge, getEvent, newId } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const savers = new Savers(fixture)
const running = new AbortController().signal

// Prevents the next test from charging accounts that are still below their threshold.
afterEach(() => savers.switchOff())

describe('setting up', () => {
  test('saves a card only on request, and deletes it when the owner removes it', async () => {
    const account = await fixture.account()
    const { billing } = getPortal(fixture.deps(), account)
    await expect(billing.setAutoTopUp(wanted)).rejects.toThrow("You don't have a saved card. Top up once and save your card.")
    await fixture.topUp(account, 500)
    await readSavedCards(fixture.deps(), running)
    expect((await billing.overview()).card).toBeNull()
    await fixture.topUp(account, 600, { savesCard: true })
    await readSavedCards(fixture.deps(), running)
    expect((await billing.overview()).card).toEqual({ brand: 'visa', last4: '4242', expires: '04/2031' })
    await billing.setAutoTopUp(wanted)
    await billing.removeCard()
    expect(await billing.overview()).toMatchObject({ card: null, autoTopUp: { isOn: false, offReason: 'The saved card was removed.' } })
  })

  test.each([
    ['thresholdCredits', { thresholdCredits: 0 }, 'Threshold must be from 1 to 100 credits, the most that one top-up can buy.'],
    ['thresholdCredits', { thresholdCredits: 101 }, 'Threshold must be from 1 to 100 credits, the most that one top-up can buy.'],
    ['amountPence', { amountPence: 490 }, 'Amount must be £5 or more.'],
    ['ceilingPence', { ceilingPence: 990 }, 'The monthly limit must be at least the amount of one top-up and at most £100,000.'],
  ])('rejects an invalid %s', async (field, change, fault) => {
    const account = await savers.saver()
    const refused = getPortal(fixture.deps(), account).billing.setAutoTopUp({ ...wanted, ...change })
    await expect(refused).rejects.toMatchObject({ cause: { faults: { [field]: fault } } })
    expect(await savers.getOverview(account)).toMatchObject(wanted)
  })

  test('can be turned off even if the threshold exceeds the credits that one top-up buys', async () => {
    const account = await savers.saver()
    await getPortal(fixture.deps(), account).billing.setAutoTopUp({ ...wanted, isOn: false, thresholdCredits: 10_000 })
    expect(await savers.getOverview(account)).toMatchObject({ isOn: false })
  })
})

describe('below the threshold', () => {
  test('charges the card once, adds the credits and notifies the owner', async () => {
    const account = await savers.saver({ thresholdCredits: 50 })
    await savers.begin()
    expect(savers.getCharges(account)).toHaveLength(0)
    await savers.spend(account, 1)
    await savers.begin()
    await savers.begin()
    expect(savers.getCharges(account)).toHaveLength(1)
    expect(savers.getCharges(account)[0]?.form).toMatchObject({ amount: '1000', off_session: 'true', confirm: 'true', payment_method: cards.pays })
    expect(await fixture.moves(account)).toEqual([
      ['top_up', 50],
      ['top_up', 100],
    ])
    expect((await fixture.entries(account)).at(-1)).toMatchObject({ actor: 'auto top-up', reason: 'Automatic top-up of £10.00.' })
    expect(await fixture.balance(account)).toBe(149)
    expect(await savers.notifiedKinds(account)).toEqual(['auto_top_up.paid'])
    expect(await savers.getOverview(account)).toMatchObject({ spentPence: 1_000, failures: 0, isUnderWay: false })
  })

  test('charges once with ten concurrent processes', async () => {
    const account = await savers.saver()
    await Promise.all(Array.from({ length: 10 }, () => savers.begin()))
    expect(savers.getCharges(account)).toHaveLength(1)
    expect(await fixture.balance(account)).toBe(150)
  })

  test.each([
    ['refund', 'A payment was refunded.', (charge: Charge) => getEvent('charge.refunded', fixture.stripe.refund(charge, 1_000))],
    ['dispute', 'A payment was disputed.', (charge: Charge) => getEvent('charge.dispute.created', fixture.stripe.dispute(charge, 1_000))],
  ])('after a %s of an automatic top-up, charges nothing until the owner turns automatic top-ups on again', async (cause, offReason, eventFor) => {
    const account = await savers.saver({ thresholdCredits: 50 })
    await savers.spend(account, 1)
    await savers.begin()
    const charge = fixture.stripe.charges.get(savers.getPayment(account)?.latest_charge ?? '')
    if (!charge) throw new Error('The card was not charged.')
    const event = eventFor(charge)
    for (const again of [event, { ...event, id: newId('evt') }]) await fixture.send(again)
    await savers.waitFor(account, '1 minute')
    await savers.begin()
    expect(savers.getCharges(account)).toHaveLength(1)
    expect(await savers.getOverview(account)).toMatchObject({ isOn: false, offReason, failures: 0 })
    expect((await fixture.notices(account)).filter(({ kind }) => kind === 'auto_top_up.stopped')).toEqual([
      { kind: 'auto_top_up.stopped', data: { topUp: expect.stringMatching(/^top_/), cause } },
    ])
    await getPortal(fixture.deps(), account).billing.setAutoTopUp({ ...wanted, thresholdCredits: 50 })
    await savers.begin()
    expect(savers.getCharges(account)).toHaveLength(2)
  })

  test('waits a minute after a paid top-up before starting another', async () => {
    const account = await savers.saver()
    const charges: number[] = []
    for (const waited of ['0 seconds', '50 seconds', '10 seconds']) {
      await savers.waitFor(account, waited)
      await savers.begin()
      charges.push(savers.getCharges(account).length)
      await savers.spend(account, 100)
    }
    expect(charges).toEqual([1, 1, 2])
  })

  test('does not charge blocked accounts or accounts that have turned automatic top-ups off', async () => {
    const [blocked, off] = [await savers.saver(), await savers.saver()]
    await blockAccount(fixture.pool, blocked.email, null)
    await getPortal(fixture.deps(), off).billing.setAutoTopUp({ ...wanted, isOn: false })
    await savers.begin()
    expect([savers.getCharges(blocked), savers.getCharges(off)]).toEqual([[], []])
  })
})

describe('the monthly limit', () => {
  test('never exceeds the limit, even if top-ups start concurrently, and notifies the owner once', async () => {
    const account = await savers.saver()
    for (let time = 0; time < 5; time++) {
      await Promise.all([savers.begin(), savers.begin(), savers.begin()])
      await savers.spend(account, 100)
      await savers.waitFor(account, '1 minute')
    }
    // Three top-ups would cost £30, which is over the limit of £25.
    expect(savers.getCharges(account)).toHaveLength(2)
    expect(await savers.getOverview(account)).toMatchObject({ spentPence: 2_000 })
    expect((await savers.notifiedKinds(account)).filter((kind) => kind === 'auto_top_up.ceiling')).toHaveLength(1)
    // `beginAutoTopUp` itself enforces the limit, whichever code calls it.
    const asked = { accountId: account.id, mode: 'test', publicId: 'top_of_nobody', vatBasisPoints: null } as const
    expect(await beginAutoTopUp(fixture.pool, asked)).toBe(false)
  })

  test('resumes when the limit is raised or a new month begins', async () => {
    const account = await savers.saver({ ceilingPence: 1_000 })
    const spendAndBegin = async () => {
      await savers.spend(account, 100)
      await savers.waitFor(account, '1 minute')
      await savers.begin()
    }
    await savers.begin()
    await spendAndBegin()
    expect(savers.getCharges(account)).toHaveLength(1)
    await getPortal(fixture.deps(), account).billing.setAutoTopUp({ ...wanted, ceilingPence: 2_000 })
    await savers.begin()
    expect(savers.getCharges(account)).toHaveLength(2)
    await fixture.pool.query('UPDATE auto_top_up SET month = month - 1 WHERE account_id = $1', [account.id])
    await fixture.pool.query("UPDATE top_up SET created_at = created_at - interval '1 month' WHERE account_id = $1", [account.id])
    expect(await savers.getOverview(account)).toMatchObject({ spentPence: 0 })
    await spendAndBegin()
    expect(savers.getCharges(account)).toHaveLength(3)
  })

  test("still counts the month's earlier top-ups after a fast clock is set back", async () => {
    const account = await savers.saver()
    await savers.begin()
    await savers.spend(account, 100)
    await fixture.pool.query('UPDATE auto_top_up SET month = month + 1, month_pence = 0 WHERE account_id = $1', [account.id])
    for (let time = 0; time < 3; time++) {
      await savers.waitFor(account, '1 minute')
      await savers.begin()
      await savers.spend(account, 100)
    }
    expect(savers.getCharges(account)).toHaveLength(2)
    expect(await savers.getOverview(account)).toMatchObject({ spentPence: 2_000 })
  })
})

describe('a failing card', () => {
  test('waits longer after each failure, and turns automatic top-ups off after the third in a row', async () => {
    const account = await savers.saver()
    await savers.useCard(account, cards.declines)
    for (let failure = 1; failure <= 3; failure++) {
      await savers.begin()
      await savers.begin()
      expect(savers.getCharges(account)).toHaveLength(failure)
      expect(await savers.getOverview(account)).toMatchObject({ failures: failure, isOn: failure < 3, spentPence: 0 })
      await savers.waitFor(account, `${failure} hours`)
    }
    await savers.begin()
    expect(savers.getCharges(account)).toHaveLength(3)
    expect(await savers.notifiedKinds(account)).toEqual(['auto_top_up.failed', 'auto_top_up.failed', 'auto_top_up.off'])
    expect(await savers.getOverview(account)).toMatchObject({ isOn: false, offReason: 'Your card was declined.' })
    expect(await fixture.moves(account)).toEqual([['top_up', 50]])
    // Turning automatic top-ups on again resets the failure count.
    await savers.useCard(account, cards.pays)
    await getPortal(fixture.deps(), account).billing.setAutoTopUp(wanted)
    await savers.begin()
    expect(await fixture.balance(account)).toBe(150)
    expect(await savers.getOverview(account)).toMatchObject({ isOn: true, failures: 0, offReason: null })
  })

  test('fails a charge that requires authentication, because no customer is present', async () => {
    const account = await savers.saver()
    await savers.useCard(account, cards.asks)
    await savers.begin()
    expect(await savers.getOverview(account)).toMatchObject({ failures: 1, isUnderWay: false })
  })

  test('a successful charge resets the failure count', async () => {
    const account = await savers.saver()
    await savers.useCard(account, cards.declines)
    await savers.begin()
    await savers.waitFor(account, '1 hour')
    await savers.useCard(account, cards.pays)
    await savers.begin()
    expect(await savers.getOverview(account)).toMatchObject({ failures: 0, isOn: true, spentPence: 1_000 })
    expect(await fixture.balance(account)).toBe(150)
  })
})
