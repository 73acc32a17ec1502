import { planNames, plans, testKeyPerMinute } from '../contract/plans.ts'
import { callableByTestKeys, reachOf } from './catalogue.ts'

/** One line of the table of limits: each plan, and the test keys that every plan has. */
export type LimitLine = { readonly name: string; readonly perMinute: number; readonly perDay: number | null; readonly reach: string }

export function limitLines(): LimitLine[] {
  const test = { name: 'Test keys, any plan', perMinute: testKeyPerMinute, perDay: null, reach: `All ${callableByTestKeys()}, from sample data` }
  const live = planNames.map((name) => {
    const { label, perMinute, perDay } = plans[name]
    const { callable, of } = reachOf(name)
    return { name: label, perMinute, perDay, reach: `${callable} of ${of} endpoints` }
  })
  return [...live, test]
}
