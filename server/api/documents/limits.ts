import { planNames, plans, testKeyPerMinute } from '#server/api/contract/plans.ts'
import { callableByTestKeys, getReach } from './catalogue.ts'

/** Row of the limits table: a plan, or test keys on any plan. */
export type LimitLine = { readonly name: string; readonly perMinute: number; readonly perDay: number | null; readonly reach: string }

/** Explains the endpoint counts of the table. */
export function reachLabels(): string {
  const [all, live] = [callableByTestKeys(), getReach('enterprise').of]
  return `${live} of the ${all} endpoints accept live keys, some on Enterprise only. The other ${all - live} are test-only for now.`
}

export function limitLines(): LimitLine[] {
  const test = { name: 'Test keys, any plan', perMinute: testKeyPerMinute, perDay: null, reach: `All ${callableByTestKeys()}, with sample data` }
  const live = planNames.map((name) => {
    const { label, perMinute, perDay } = plans[name]
    const { callable, of } = getReach(name)
    return { name: label, perMinute, perDay, reach: `${callable} of ${of} endpoints` }
  })
  return [...live, test]
}
