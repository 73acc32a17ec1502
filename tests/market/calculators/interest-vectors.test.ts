import { expect, test } from 'vitest'
import { z } from 'zod'
import { grossOfAer, growBalance, halfUp, nominalRate, toBasisPoints, wholeRate } from '#server/market/calculators/interest.ts'
import { regularSaver, savingsGrowth } from '#server/market/calculators/savings-growth.ts'
import { plainTerms, simulate } from '#server/market/calculators/simulate.ts'
import { moneyText, toHundredths } from '#server/market/decimal.ts'
import { cites } from '../../requirements/verifies.ts'
import file from './interest-test-vectors.json' with { type: 'json' }

cites('calculators/round-half-up-at-each-credit')

const hundredths = z.string().transform((text) => toHundredths(text) ?? Number.NaN)
const pence = hundredths.transform(BigInt)
const interestPaid = z.enum(['monthly', 'quarterly', 'annually'])
const monthsBetween = { monthly: 1, quarterly: 3, annually: 12 } as const

const Deposit = z.object({ deposit: pence, grossRate: hundredths, months: z.number().optional(), interestPaid })
const Saver = z.object({ monthly: pence, grossRate: hundredths, months: z.number() })
const Balance = z.object({ balance: pence, baseRate: hundredths, boostRate: hundredths, boostMonths: z.number(), months: z.number(), interestPaid })
const Tiers = z.object({ balance: pence, tiers: z.array(z.object({ from: z.string(), rate: hundredths })) })

const vectors = file.vectors.map(({ id, input, expected }) => ({ id, input: input as unknown, expected: expected as Record<string, unknown> }))

/** Returns the balance after each month at a gross rate, because the vectors give gross rates instead of AERs. Interest is paid every `creditEvery` months. */
function atGrossRate(openingPence: bigint, rateBp: number, months: number, creditEvery: number) {
  const run = growBalance({ openingPence, depositPence: 0n, yearlyRates: Array.from({ length: months }, () => nominalRate(rateBp)), creditEvery })
  return run.map(({ balancePence }) => balancePence)
}

const ended = (openingPence: bigint, endPence: bigint) => ({ interest: moneyText(endPence - openingPence), endBalance: moneyText(endPence) })

function depositAnswer(input: unknown): Record<string, unknown> {
  const { deposit, grossRate, months = 12, interestPaid } = Deposit.parse(input)
  const balances = atGrossRate(deposit, grossRate, months, monthsBetween[interestPaid])
  const end = balances.at(-1) ?? deposit
  const aerBp = Number(halfUp(end * 10_000n, deposit)) - 10_000
  return {
    ...ended(deposit, end),
    balances: balances.map(moneyText),
    endBalance12: moneyText(end),
    endBalance6: moneyText(balances[5] ?? 0n),
    aer: moneyText(BigInt(aerBp)),
  }
}

function saverAnswer(input: unknown): Record<string, unknown> {
  const { monthly, grossRate, months } = Saver.parse(input)
  const { paidInPence, interestPence, endBalancePence } = regularSaver({ monthlyPence: monthly, rateBp: grossRate, months })
  return { paidIn: moneyText(paidInPence), interest: moneyText(interestPence), endBalance: moneyText(endBalancePence) }
}

function balanceAnswer(input: unknown): Record<string, unknown> {
  const { balance, baseRate, boostRate, boostMonths, months, interestPaid } = Balance.parse(input)
  // Monthly vectors give a gross rate, but product rates are AERs. With annual interest the two are equal.
  if (interestPaid === 'monthly') return ended(balance, atGrossRate(balance, baseRate, months, 1).at(-1) ?? balance)
  const terms = { baseRateBp: baseRate, boostRateBp: boostRate, boostMonths, compounding: 'annually', termMonths: null } as const
  return ended(balance, simulate(balance, months, terms).endBalancePence)
}

/** A product has a single rate but a vector has tiers, so the test selects one tier and checks only its interest. */
function tierAnswer(input: unknown): Record<string, unknown> {
  const { balance, tiers } = Tiers.parse(input)
  const rateBp = tiers.findLast(({ from }) => (toHundredths(from) ?? Number.NaN) <= balance)?.rate ?? 0
  return { appliedRate: moneyText(BigInt(rateBp)), interest12m: moneyText(simulate(balance, 12, plainTerms(rateBp)).interestPence) }
}

const answers: Record<string, (input: unknown) => Record<string, unknown>> = { I: depositAnswer, R: saverAnswer, S: balanceAnswer, X: tierAnswer }

test.each(vectors)('matches vector $id to the penny', ({ id, input, expected }) => {
  const answer = answers[id.slice(0, 1)]
  expect(answer?.(input)).toMatchObject(expected)
})

test('covers all 19 vectors', () => {
  expect(vectors.map(({ id }) => id).join(' ')).toBe('I01 I03 I05 I07 I09 I11 I13 I15 R01 R03 R05 R07 R09 S02 S04 S06 S08 S10 X02')
})

test.each(file.aerFromGross)('converts $gross gross, paid $paymentsPerYear times a year, to $aer AER', ({ gross, paymentsPerYear, aer }) => {
  const openingPence = 10n ** 14n
  const step = (nominalRate(toHundredths(gross) ?? 0) * 12n) / BigInt(paymentsPerYear)
  const run = growBalance({ openingPence, depositPence: 0n, yearlyRates: Array.from({ length: paymentsPerYear }, () => step), creditEvery: 1 })
  const grownBp = Number(halfUp((run.at(-1)?.balancePence ?? 0n) * 10_000n, openingPence)) - 10_000
  expect(moneyText(BigInt(grownBp))).toBe(aer)
})

test.each(file.grossMonthlyFromAer)('converts $aer AER to $grossMonthly gross, paid monthly', ({ aer, grossMonthly }) => {
  expect(moneyText(BigInt(toBasisPoints(grossOfAer(toHundredths(aer) ?? 0, 12))))).toBe(grossMonthly)
})

test('differs by a penny from the growth vector, which does not round each interest payment', () => {
  const [vector] = file.growthCalculator
  expect(vector).toEqual({ principal: '10000.00', monthly: '0.00', rate: '4.50', years: 5, compounding: 'annual', endBalance: '12461.82' })
  const growth = savingsGrowth({ amountPence: 1_000_000n, monthlyPence: 0n, rateBp: 450, months: 60 })
  expect(growth.years.map(({ balancePence }) => moneyText(balancePence))).toEqual(['10450.00', '10920.25', '11411.66', '11925.18', '12461.81'])
  // Without intermediate rounding the vector is correct: 10,000 × 1.045^5 = 12,461.8193…
  expect(moneyText(halfUp(1_000_000n * 10_450n ** 5n, 10_000n ** 5n))).toBe('12461.82')
})

test('treats 4.50% paid monthly as an AER, not as a gross rate', () => {
  const terms = { ...plainTerms(450), compounding: 'monthly' } as const
  expect(moneyText(simulate(1_000_000n, 12, terms).endBalancePence)).toBe('10449.99')
})

test('rounds half a penny up (2.43), unlike banker’s or binary rounding (2.42)', () => {
  expect(moneyText(simulate(5_000n, 12, plainTerms(485)).interestPence)).toBe('2.43')
})

test('represents 10,000 basis points as exactly 100%', () => {
  expect(nominalRate(10_000)).toBe(wholeRate)
})
