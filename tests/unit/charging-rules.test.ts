import { expect, test } from 'vitest'
import { listFormats } from '#server/api/contract/list-formats.ts'
import { chargingRules, otherRules, priceLead } from '#server/api/documents/usage-rules.ts'
import type { Reading } from '#server/api/pipeline/call.ts'
import { readSpending } from '#server/api/pipeline/spending-headers.ts'

const getRule = (title: string) => chargingRules().find((rule) => rule.title === title)?.text ?? ''

/** Returns the header named in a charging rule, in the form that the request pipeline receives. */
function headerIn(text: string): Record<string, string> {
  const [, name = '', value = 'a-new-key'] = /`([A-Z][\w-]+)(?:: (\S+))?`/.exec(text) ?? []
  return { [name.toLowerCase()]: value }
}

test('the charging rules state the numbers from the specification', () => {
  expect(getRule('One credit')).toBe('10p. £1 is 10 credits. Credits do not expire.')
  expect(getRule('Starter credits')).toMatch(/^20 credits\b/)
  expect(getRule('Per row')).toContain('10 rows by default, up to 50 with `limit`')
  expect(getRule('Safe retries')).toContain('within 10 minutes')
})

test('the request pipeline honours the headers in the charging rules as described', () => {
  const reading = { key: 'rates.list {}' } as Reading
  expect(readSpending(headerIn(getRule('Spending limit per call')), reading, listFormats.json).ceiling).toBe(
    Number(/at most (\d+)/.exec(getRule('Spending limit per call'))?.[1]),
  )
  expect(readSpending(headerIn(getRule('Safe retries')), reading, listFormats.json).idempotency?.key).toBe('a-new-key')
})

test('every rule has a unique title and consists of complete sentences', () => {
  const rules = chargingRules()
  expect(new Set(rules.map(({ title }) => title)).size).toBe(rules.length)
  for (const { title, text } of rules) {
    expect(title).toMatch(/^[A-Z][^.]*$/)
    expect(text).toMatch(/^[\dA-Z].*\.$/)
  }
})

test('the price page states every rule once, in its lead or in its list', () => {
  const { figures, example, estimate } = priceLead()
  const plain = (text: string) => text.replaceAll('\u00a0', ' ')
  expect(figures.map(({ value, name }) => plain(`${value} ${name}`))).toEqual([
    '10p per credit',
    '1 credit per row of rates',
    '0 credits for errors and test calls',
  ])
  expect(plain(example)).toBe('One row of rates costs 10p. No monthly fee on Hobby. You start with 20 free credits.')
  expect(estimate).toEqual({
    creditsPerRow: 1,
    creditPence: 10,
    calls: 100,
    rows: 10,
    maxRows: 50,
    plans: [
      { name: 'Hobby', perDay: 1_000 },
      { name: 'Business', perDay: 20_000 },
      { name: 'Enterprise', perDay: 100_000 },
    ],
  })
  const titles = chargingRules().map(({ title }) => title)
  expect(titles.filter((title) => !otherRules().some((rule) => rule.title === title))).toEqual(['One credit', 'Starter credits', 'Never charged'])
})
