import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { listAll, plenty } from './support/history.ts'

type Row = { sourceKey: string; accountType: string; maxMonthlyDeposit: number | null; matchReasons: string[] }

/** Yearly allowances in pounds at the time of the demonstration market. */
const allowances: Readonly<Record<string, number>> = { 'Cash ISA': 20_000, 'Stocks and shares ISA': 20_000, 'Lifetime ISA': 4_000, 'Junior ISA': 9_000 }

const getLimit = ({ accountType, maxMonthlyDeposit }: Row) =>
  Math.min(maxMonthlyDeposit ?? Number.POSITIVE_INFINITY, allowances[accountType] ?? Number.POSITIVE_INFINITY)

const getMarks = ({ matchReasons }: Row) => matchReasons.filter((reason) => reason.startsWith('Takes '))

function expectedMarks(row: Row, amount: number): unknown[] {
  const limit = getLimit(row)
  if (limit >= amount) return []
  const per = row.maxMonthlyDeposit === null ? 'tax year' : 'month'
  const periods = Math.ceil(amount / limit)
  const [share, whole] = [limit, amount].map((value) => `£${value.toLocaleString('en-GB')}.00`)
  return [`Takes ${share} of ${whole} now, then up to ${share} a ${per} (${periods} ${per}s)`]
}

onEachMount((fixture) => {
  const read = async (query: string) => (await listAll(fixture, await fixture.live(plenty), `/rates?${query}`)) as unknown as Row[]

  verifies('rates/amount-over-time', async () => {
    for (const amount of [250, 5_000, 25_000]) {
      const rows = await read(`amount=${amount}`)
      expect(rows.some((row) => getLimit(row) < amount)).toBe(true)
      for (const row of rows) expect([row.sourceKey, getMarks(row)]).toEqual([row.sourceKey, expectedMarks(row, amount)])
    }
  })

  verifies('rates/payable-now', async () => {
    for (const amount of [250, 5_000, 25_000]) {
      const all = await read(`amount=${amount}`)
      const payable = await read(`amount=${amount}&payable=now`)
      expect(payable.map(({ sourceKey }) => sourceKey)).toEqual(all.filter((row) => getLimit(row) >= amount).map(({ sourceKey }) => sourceKey))
      expect(payable.length).toBeLessThan(all.length)
      for (const { matchReasons } of payable.slice(0, 5)) {
        expect(matchReasons[0]).toMatch(
          new RegExp(` of ${payable.length.toLocaleString('en-GB')} savings accounts that accept £.* and match the other filters$`),
        )
        expect(matchReasons.filter((reason) => reason.startsWith('Takes '))).toEqual([expect.stringMatching(/^Takes £[\d,]+\.00 of new money at once$/)])
      }
    }
    const { key } = await fixture.live()
    const answer = await fixture.get('/rates?payable=now', key)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.message).toBe('"payable" needs "amount". Give the amount to pay in, or omit "payable".')
    expectError(await fixture.get('/rates?amount=5&payable=later', key), 400, 'invalid_request')
  })
})
