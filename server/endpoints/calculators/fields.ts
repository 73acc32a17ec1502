import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'

/** Largest amount that a calculator takes: one billion pounds, in pence. */
export const mostPence = 100_000_000_000

/** Largest yearly rate that a calculator takes: 100 %, in hundredths of a percent. */
export const mostRateBp = 10_000

/** Longest run with a row for each month, which keeps an answer small, and with a row for each year. */
export const mostMonthlyRows = 360
export const mostMonths = 600

const twoDecimalText = z.string().regex(/^\d+\.\d\d$/)
const moneyText = twoDecimalText.meta({ examples: ['125.00'] })
const percentText = twoDecimalText.meta({ examples: ['4.50'] })

/** An amount in an answer. */
export const money = (meaning: string) => moneyText.describe(`${meaning} In GBP with two decimals.`)

/** An amount in an answer that may be unknown. */
export const nullableMoney = (meaning: string) => moneyText.nullable().describe(`${meaning} In GBP with two decimals.`)

/** A rate in an answer. */
export const rate = (meaning: string) => percentText.describe(`${meaning} In percent with two decimals.`)

/** The sentences that say which rules led to an answer. */
export const notes = z.array(z.string()).describe('The rules that were applied, one sentence each.')

/** Pence as text, where unknown is null. */
export const moneyOrNull = (pence: number | null | undefined): string | null => (pence === null || pence === undefined ? null : twoDecimals(pence))
