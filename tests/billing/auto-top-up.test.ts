import { afterEach, describe, expect, test } from 'vitest'
import { blockAccount } from '../../server/accounts/accounts.ts'
import { askAfterAutoTopUps, beginAutoTopUps } from '../../server/billing/auto-top-up.ts'
import type { BillingRoom } from '../../server/billing/billing-room.ts'
import { readSavedCards } from '../../server/billing/customer-pages.ts'
import { addKey, admit, requestOf } from '../metering/statement.ts'
import type { TestAccount } from '../support/world.ts'
import { BillingStage } from './support/billing-stage.ts'
import { portalOf } from './support/portal.ts'
import { eventOf } from './support/stripe-objects.ts'
import { cards } from './support/stripe-server.ts'

const stage = new BillingStage()
const running = new AbortController().signal

// What one test leaves in need of credits would be charged in the next one.
afterEach(() => stage.pool.query('UPDATE auto_top_up SET is_on = false').then(() => undefined))

const wanted = { isOn: true, thresholdCredits: 100, amountPence: 1_000, ceilingPence: 2_500 }
const begin = (room = stage.room()) => beginAutoTopUps(room, running)
const askAfter = (room = stage.room()) => askAfterAutoTopUps(room, running)
const overviewOf = async (account: TestAccount) => (await portalOf(stage.room(), account).billing.overview()).autoTopUp
const chargesOf = ({ publicId }: TestAccount) =>
  stage.stripe.requests.filter(({ call, form }) => call === 'POST /v1/payment_intents' && (form['metadata'] as { account?: string })['account'] === publicId)
const kindsTold = async (account: TestAccount) => (await stage.notices(account)).map(({ kind }) => kind)

/** The next card pays, declines, asks or takes its time. */
async function useCard(account: TestAccount, method: string): Promise<void> {
  await stage.pool.query('UPDATE payment_customer SET payment_method_id = $2 WHERE account_id = $1', [account.id, method])
}

/** Takes time back, as if that long had gone by. */
async function waitFor(account: TestAccount, interval: string): Promise<void> {
  await stage.pool.query('UPDATE auto_top_up SET not_before = not_before - $2::interval WHERE account_id = $1', [account.id, interval])
  const underWay = "account_id = $1 AND state IN ('open', 'pending')"
  await stage.pool.query(`UPDATE top_up SET created_at = created_at - $2::interval WHERE ${underWay}`, [account.id, interval])
}

/** An account whose card was saved with a top-up of 50 credits, and that has switched automatic top-ups on. */
async function saver(changes: Partial<typeof wanted> = {}): Promise<TestAccount> {
  const account = await stage.account()
  await stage.topUp(account, 500, { savesCard: true })
  await readSavedCards(stage.room(), running)
  await portalOf(stage.room(), account).billing.setAutoTopUp({ ...wanted, ...changes })
  return account
}

const spend = async (account: TestAccount, credits: number) => admit(stage.pool, [requestOf(await addKey(stage.pool, account), { price: credits })])

describe('what it takes', () => {
  test('a saved card: asked for with a payment, read when the payment has come, and gone when it is removed', async () => {
    const account = await stage.account()
    const { billing } = portalOf(stage.room(), account)
    await expect(billing.setAutoTopUp(wanted)).rejects.toThrow('There is no saved card. Top up once and choose to save the card.')
    await stage.topUp(account, 500)
    await readSavedCards(stage.room(), running)
    expect((await billing.overview()).card).toBeNull()
    await stage.topUp(account, 600, { savesCard: true })
    await readSavedCards(stage.room(), running)
    expect((await billing.overview()).card).toEqual({ brand: 'visa', last4: '4242', expires: '04/2031' })
    await billing.setAutoTopUp(wanted)
    await billing.removeCard()
    expect(await billing.overview()).toMatchObject({ card: null, autoTopUp: { isOn: false, offReason: 'The saved card was removed.' } })
  })

  test.each([
    ['threshold', { thresholdCredits: 0 }, 'Balance must be 1 to 100,000 credits.'],
    ['amount', { amountPence: 490 }, 'Amount must be £5 or more.'],
    ['ceiling', { ceilingPence: 990 }, 'The most for a month must be the amount of one top-up or more, and £100,000 or less.'],
  ])('a %s that makes sense', async (field, change, fault) => {
    const account = await saver()
    const refused = portalOf(stage.room(), account).billing.setAutoTopUp({ ...wanted, ...change })
    await expect(refused).rejects.toMatchObject({ cause: { faults: { [field]: fault } } })
    expect(await overviewOf(account)).toMatchObject(wanted)
  })
})

describe('below the threshold', () => {
  test('the card is charged once, credited and told, and not again above it', async () => {
    const account = await saver({ thresholdCredits: 50 })
    await begin()
    expect(chargesOf(account)).toHaveLength(0)
    await spend(account, 1)
    await begin()
    await begin()
    expect(chargesOf(account)).toHaveLength(1)
    expect(chargesOf(account)[0]?.form).toMatchObject({ amount: '1000', off_session: 'true', confirm: 'true', payment_method: cards.pays })
    expect(await stage.moves(account)).toEqual([
      ['top_up', 50],
      ['top_up', 100],
    ])
    expect((await stage.entries(account)).at(-1)).toMatchObject({ actor: 'auto top-up', reason: 'Automatic top-up of £10.00.' })
    expect(await stage.balance(account)).toBe(149)
    expect(await kindsTold(account)).toEqual(['auto_top_up.paid'])
    expect(await overviewOf(account)).toMatchObject({ spentPence: 1_000, failures: 0, isUnderWay: false })
  })

  test('ten processes at once charge it once', async () => {
    const account = await saver()
    await Promise.all(Array.from({ length: 10 }, () => begin()))
    expect(chargesOf(account)).toHaveLength(1)
    expect(await stage.balance(account)).toBe(150)
  })

  test('a blocked account and one that switched it off are not charged', async () => {
    const [blocked, off] = [await saver(), await saver()]
    await blockAccount(stage.pool, blocked.email, null)
    await portalOf(stage.room(), off).billing.setAutoTopUp({ ...wanted, isOn: false })
    await begin()
    expect([chargesOf(blocked), chargesOf(off)]).toEqual([[], []])
  })
})

describe('the ceiling of a month', () => {
  test('is never passed, is told once, and is decided where the top-up begins', async () => {
    const account = await saver({ thresholdCredits: 10_000 })
    for (let time = 0; time < 5; time++) await Promise.all([begin(), begin(), begin()])
    // Three would be £30 of £25.
    expect(chargesOf(account)).toHaveLength(2)
    expect(await overviewOf(account)).toMatchObject({ spentPence: 2_000 })
    expect((await kindsTold(account)).filter((kind) => kind === 'auto_top_up.ceiling')).toHaveLength(1)
    // The statement itself says no, whoever asks it.
    const { rows } = await stage.pool.query("SELECT begin_auto_top_up($1, 'test', 'top_of_nobody', 1000, 100, NULL, 0) AS id", [account.id])
    expect(rows).toEqual([{ id: null }])
  })

  test('is new with the month, and a higher one lets it go on', async () => {
    const account = await saver({ thresholdCredits: 10_000, ceilingPence: 1_000 })
    await begin()
    await begin()
    expect(chargesOf(account)).toHaveLength(1)
    await portalOf(stage.room(), account).billing.setAutoTopUp({ ...wanted, thresholdCredits: 10_000, ceilingPence: 2_000 })
    await begin()
    expect(chargesOf(account)).toHaveLength(2)
    await stage.pool.query('UPDATE auto_top_up SET month = month - 1 WHERE account_id = $1', [account.id])
    expect(await overviewOf(account)).toMatchObject({ spentPence: 0 })
    await begin()
    expect(chargesOf(account)).toHaveLength(3)
  })
})

describe('a card that fails', () => {
  test('is tried again later each time, and the third failure in a row switches it off', async () => {
    const account = await saver()
    await useCard(account, cards.declines)
    for (let failure = 1; failure <= 3; failure++) {
      await begin()
      await begin()
      expect(chargesOf(account)).toHaveLength(failure)
      expect(await overviewOf(account)).toMatchObject({ failures: failure, isOn: failure < 3, spentPence: 0 })
      await waitFor(account, `${failure} hours`)
    }
    await begin()
    expect(chargesOf(account)).toHaveLength(3)
    expect(await kindsTold(account)).toEqual(['auto_top_up.failed', 'auto_top_up.failed', 'auto_top_up.off'])
    expect(await overviewOf(account)).toMatchObject({ isOn: false, offReason: 'Your card was declined.' })
    expect(await stage.moves(account)).toEqual([['top_up', 50]])
    // Whoever switches it on again begins anew.
    await useCard(account, cards.pays)
    await portalOf(stage.room(), account).billing.setAutoTopUp(wanted)
    await begin()
    expect(await stage.balance(account)).toBe(150)
    expect(await overviewOf(account)).toMatchObject({ isOn: true, failures: 0, offReason: null })
  })

  test('that asks its owner for something has failed: nobody is there to be asked', async () => {
    const account = await saver()
    await useCard(account, cards.asks)
    await begin()
    expect(await overviewOf(account)).toMatchObject({ failures: 1, isUnderWay: false })
  })

  test('fewer failures are forgotten with a success', async () => {
    const account = await saver()
    await useCard(account, cards.declines)
    await begin()
    await waitFor(account, '1 hour')
    await useCard(account, cards.pays)
    await begin()
    expect(await overviewOf(account)).toMatchObject({ failures: 0, nextTryAt: null, spentPence: 1_000 })
    expect(await stage.balance(account)).toBe(150)
  })
})

describe('an outcome that nobody heard', () => {
  /** Loses the answer of the next charge, with all its repetitions. */
  async function beginUnheard(room: BillingRoom): Promise<void> {
    stage.stripe.loses = 3
    await begin(room)
  }

  test('of a charge that was made: it is found and credited once, and nothing is charged again', async () => {
    const account = await saver()
    await beginUnheard(stage.room())
    expect(await overviewOf(account)).toMatchObject({ isUnderWay: true })
    await begin()
    await askAfter()
    // What is young may still be answered.
    expect(await stage.balance(account)).toBe(50)
    await waitFor(account, '3 minutes')
    await askAfter()
    await askAfter()
    expect(await stage.balance(account)).toBe(150)
    expect([...stage.stripe.payments.values()].filter(({ metadata }) => metadata['account'] === account.publicId)).toHaveLength(2)
    expect(await overviewOf(account)).toMatchObject({ isUnderWay: false, spentPence: 1_000 })
  })

  test('and that the event tells first: it is credited once', async () => {
    const account = await saver()
    await beginUnheard(stage.room())
    const payment = [...stage.stripe.payments.values()].findLast(({ metadata }) => metadata['account'] === account.publicId)
    await stage.send(eventOf('payment_intent.succeeded', payment ?? {}))
    await waitFor(account, '3 minutes')
    await askAfter()
    expect(await stage.balance(account)).toBe(150)
    expect(await kindsTold(account)).toEqual(['auto_top_up.paid'])
  })

  test('of a process that died before it spoke: the card is charged now, under the same key', async () => {
    const account = await saver()
    const begun = await stage.pool.query("SELECT begin_auto_top_up($1, 'test', $2, 1000, 100, NULL, 0) AS id", [account.id, `top_${account.id}_lost`])
    expect(begun.rows[0].id).not.toBeNull()
    await waitFor(account, '3 minutes')
    await askAfter()
    expect(await stage.balance(account)).toBe(150)
    expect(chargesOf(account).map(({ idempotencyKey }) => idempotencyKey)).toEqual([`charge top_${account.id}_lost`])
  })

  test('for longer than Stripe remembers the key: it has failed, rather than be charged twice', async () => {
    const account = await saver()
    await stage.pool.query("SELECT begin_auto_top_up($1, 'test', $2, 1000, 100, NULL, 0)", [account.id, `top_${account.id}_old`])
    await waitFor(account, '13 hours')
    await askAfter()
    expect(chargesOf(account)).toHaveLength(0)
    expect(await overviewOf(account)).toMatchObject({ isUnderWay: false, failures: 1, spentPence: 0 })
  })

  test('because the bank takes its time: it waits, and is credited with the event', async () => {
    const account = await saver()
    await useCard(account, cards.processes)
    await begin()
    await begin()
    expect(await overviewOf(account)).toMatchObject({ isUnderWay: true, spentPence: 1_000 })
    expect(chargesOf(account)).toHaveLength(1)
    const payment = [...stage.stripe.payments.values()].findLast(({ metadata }) => metadata['account'] === account.publicId)
    await stage.send(eventOf('payment_intent.succeeded', { ...payment, status: 'succeeded', amount_received: 1_000 }))
    expect(await stage.balance(account)).toBe(150)
  })
})
