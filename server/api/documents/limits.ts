import { planNames, plans, testKeyPerMinute } from '#server/api/contract/plans.ts'
import { callableByTestKeys, reachOf } from './catalogue.ts'

/** One line of the table of limits: each plan, and the test keys that every plan has. */
export type LimitLine = { readonly name: string; readonly perMinute: number; readonly perDay: number | null; readonly reach: string }

/** How the figures of the table belong together: live keys are let call some of what test keys can. */
export function reachWords(): string {
  const [all, live] = [callableByTestKeys(), reachOf('enterprise').of]
  return `Of ${all} endpoints ${live} are for live keys, some on Enterprise only; the other ${all - live} answer test keys alone.`
}

export function limitLines(): LimitLine[] {
  const test = { name: 'Test keys, any plan', perMinute: testKeyPerMinute, perDay: null, reach: `All ${callableByTestKeys()}, from sample data` }
  const live = planNames.map((name) => {
    const { label, perMinute, perDay } = plans[name]
    const { callable, of } = reachOf(name)
    return { name: label, perMinute, perDay, reach: `${callable} of ${of} endpoints` }
  })
  return [...live, test]
}
