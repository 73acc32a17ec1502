import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ruleset, type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import owasp from '@stoplight/spectral-owasp-ruleset'
import { oas } from '@stoplight/spectral-rulesets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture } from '../v1/support/fixture.ts'
import { exceptions, rulesForInput } from './support/lint-exceptions.ts'
import { getParameter, type OpenApi } from './support/open-api.ts'

type Finding = { readonly rule: string; readonly at: string; readonly message: string }

const fixture = new Fixture('lean')
let source = ''

beforeAll(async () => {
  await fixture.open()
  source = (await fixture.raw('GET', '/api/developer/openapi.json')).text
})
afterAll(() => fixture.close())

/** Returns the path of a finding, with parameter names instead of indexes. */
function getPlace(document: OpenApi, path: readonly (string | number)[]): string {
  const [part, first = '', method = '', list, number] = path.map(String)
  if (part !== 'paths' || list !== 'parameters') return path.join('/')
  const parameter = document.paths[first]?.[method]?.parameters[Number(number)]
  return [part, first, method, list, parameter && getParameter(document, parameter).name, ...path.slice(5)].join('/')
}

async function findings(document: OpenApi, rules: RulesetDefinition): Promise<Finding[]> {
  const spectral = new Spectral()
  spectral.setRuleset(new Ruleset(rules))
  const found = await spectral.run(document)
  return found.map(({ code, path, message }) => ({ rule: String(code), at: getPlace(document, path), message }))
}

const switched = <Value>(value: Value) => Object.fromEntries(rulesForInput.map((rule) => [rule, value]))

/** Returns only the operations, parameters and request bodies of the document, without responses and events. */
function withoutAnswers({ webhooks: _, ...document }: OpenApi): OpenApi {
  const { parameters } = document.components
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, { ...operation, responses: {} }])),
  ])
  return { ...document, paths: Object.fromEntries(paths), components: { parameters } } as OpenApi
}

test('passes Redocly recommended-strict', { timeout: 60_000 }, async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)).toEqual([])
})

test('passes the Spectral and OWASP rules, apart from the listed exceptions', { timeout: 120_000 }, async () => {
  const document: OpenApi = JSON.parse(source)
  const onAll = await findings(document, { extends: [oas as unknown as RulesetDefinition, owasp], rules: switched('off') })
  const onInput = await findings(withoutAnswers(document), { extends: [[owasp, 'off']], rules: switched(true) })
  const found = [...onAll, ...onInput]
  const covers =
    ({ rule, at }: (typeof exceptions)[number]) =>
    (one: Finding) =>
      one.rule === rule && at.test(one.at)
  expect(found.filter((one) => !exceptions.some((exception) => covers(exception)(one)))).toEqual([])
  // An unused exception could hide a future finding.
  expect(exceptions.filter((exception) => !found.some(covers(exception)))).toEqual([])
})
