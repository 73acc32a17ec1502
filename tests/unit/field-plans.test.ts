import { expect, test } from 'vitest'
import { z } from 'zod'
import { fromPlan, plansOfFields } from '#server/api/contract/endpoint.ts'
import { registry } from '#server/api/endpoints/registry.ts'

test('returns the plan set by fromPlan(), and omits it from the published schema', () => {
  const row = z.object({ name: z.string(), logo: fromPlan('business', z.url().optional().describe('A logo.')) })
  expect([...plansOfFields(row.shape)]).toEqual([['logo', 'business']])
  expect([...plansOfFields(row.extend({ more: z.string() }).shape)]).toEqual([['logo', 'business']])
  expect(z.toJSONSchema(row).properties?.['logo']).toEqual({ type: 'string', format: 'uri', description: 'A logo.' })
})

test('every field that list rows may omit is declared with fromPlan()', () => {
  const lists = registry.filter((endpoint) => endpoint.kind === 'list')
  expect(lists.length).toBeGreaterThan(3)
  const unmarked = lists.flatMap(({ path, output, fieldPlans }) => {
    const shape = output instanceof z.ZodObject ? Object.entries(output.shape as Record<string, z.ZodType>) : []
    return shape.filter(([name, schema]) => schema.safeParse(undefined).success && !fieldPlans.has(name)).map(([name]) => `${path} ${name}`)
  })
  expect(unmarked, 'Make these null where they are unknown, or mark them with fromPlan()').toEqual([])
  expect([...(lists.find(({ path }) => path === '/rates')?.fieldPlans ?? [])]).toEqual([['providerLogoUrl', 'enterprise']])
})
