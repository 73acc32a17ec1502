import { plans } from '#server/api/contract/access.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { type ErrorCode, portalErrors } from '#server/api/contract/errors.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { availabilityNow, type CatalogueLine, catalogueLine } from '../catalogue.ts'
import { type EndpointParameter, getParameters } from '../endpoint-parameters.ts'
import { errorList } from '../error-texts.ts'
import { type ExampleCall, exampleCall, exampleValue } from '../openapi/examples.ts'
import { getGroup } from '../openapi/names.ts'
import type { PublishedValues } from '../published-values.ts'
import { operationPath, operationSlug } from './operation-groups.ts'
import { getRange, getValues, responseFields, typeOf } from './schema-text.ts'

const curl = (url: string) => [`curl "${url}" \\`, '  -H "Authorization: Bearer $SVC_API_KEY"'].join('\n')

const typescript = (url: string, isList: boolean) =>
  [
    `const response = await fetch('${url}', {`,
    `  headers: { Authorization: \`Bearer \${process.env.SVC_API_KEY}\` },`,
    '  signal: AbortSignal.timeout(10_000),',
    '})',
    `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
    'const { data, meta } = await response.json()',
    isList ? 'for (const row of data) console.log(row)' : 'console.log(data)',
    `console.log(\`\${meta.creditsCharged} credits, \${meta.creditsBalance} left\`)`,
  ].join('\n')

const python = (url: string, isList: boolean) =>
  [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    headers={"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"},`,
    ')',
    'with urllib.request.urlopen(request, timeout=10) as response:',
    '    answer = json.load(response)',
    ...(isList ? ['for row in answer["data"]:', '    print(row)'] : ['print(answer["data"])']),
    'print(answer["meta"]["creditsCharged"], "credits,", answer["meta"]["creditsBalance"], "left")',
  ].join('\n')

/** Returns the same call in three languages. */
function requestSamples(entry: Entry, target: string, publicUrl: string) {
  const url = `${publicUrl}/v1${target}`
  const isList = entry.kind !== 'item'
  return [
    { language: 'sh', label: 'curl', code: curl(url) },
    { language: 'ts', label: 'TypeScript', code: typescript(url, isList) },
    { language: 'python', label: 'Python', code: python(url, isList) },
  ] as const
}

/** Conditions for codes that only some endpoints return. Every endpoint can return all other codes. */
const conditions: { readonly [Code in ErrorCode]?: (entry: Entry, available: Availability) => boolean } = {
  insufficient_credits: ({ price }) => price.credits > 0,
  replay_unavailable: ({ price }) => price.credits > 0,
  insufficient_scope: ({ scope }) => scope !== 'any-key',
  sample_data_unavailable: ({ sampled }) => sampled,
  endpoint_restricted: (_entry, available) => available === 'test-only',
  plan_upgrade_required: ({ plan }) => plan !== undefined,
}

/** Returns the errors that calls to an endpoint can get, in contract order. */
const operationErrors = (entry: Entry, available: Availability) =>
  errorList().filter(({ code }) => !portalErrors.has(code) && (conditions[code]?.(entry, available) ?? true))

type Entry = (typeof registry)[number]

const withStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function describe({ description, when }: Entry): string | null {
  const sentences = [description, when && `Use it ${when}`].flatMap((text) => (text === undefined ? [] : [withStop(text)]))
  return sentences.length === 0 ? null : sentences.join(' ')
}

function accessText(entry: Entry, line: CatalogueLine): string {
  if (!line.launched) return 'Coming soon: returns 404.'
  const sample = entry.sampled ? 'Test keys read sample data.' : 'Test and live keys read the same data.'
  if (line.availability === 'Test only') return `Test only: live keys get 403 and are not charged. ${sample}`
  const plan = entry.plan === undefined ? '' : ` Live keys need the ${plans[entry.plan].label} plan.`
  return `Open to live and test keys.${plan} ${sample}`
}

function getParameter(parameter: EndpointParameter, example: ExampleCall | null, facts: PublishedValues) {
  const { name, required, schema } = parameter
  const range = getRange(schema)
  const standard = schema['default']
  const description = [parameter.description, standard === undefined ? '' : `Default ${standard}.`].filter((text) => text !== '').join(' ')
  return {
    name,
    in: parameter.in,
    isRequired: required,
    type: [typeOf(schema), range].filter((text) => text !== '').join(', '),
    description,
    values: getValues(schema),
    /** Value that works with a test key; null if none is known. */
    example: exampleValue(parameter, example, facts) ?? null,
  }
}

function getTryHref(entry: Entry, example: ExampleCall | null): string {
  return `/console?${new URLSearchParams({ endpoint: operationSlug(entry), ...example?.values }).toString()}`
}

/** Returns the endpoint whose page has this slug, or null. */
export function getEntry(slug: string): Entry | null {
  return registry.find((entry) => operationSlug(entry) === slug) ?? null
}

/** Builds the page of an endpoint from its declaration and an example response. */
export async function operationPage(entry: Entry, facts: PublishedValues) {
  const line = catalogueLine(entry, facts.overrides)
  const example = await exampleCall(entry, facts)
  return {
    line,
    href: operationPath(entry),
    /** Summary without the full stop. */
    title: entry.summary.replace(/\.$/, ''),
    group: getGroup(entry).name,
    description: describe(entry),
    tool: entry.tool,
    /** Sentences that explain which keys can call the endpoint. */
    access: accessText(entry, line),
    parameters: getParameters(entry).map((parameter) => getParameter(parameter, example, facts)),
    requests: example ? requestSamples(entry, example.target, facts.publicUrl) : [],
    /** Example response to a test key, with shortened lists; null if there is none. */
    answer: example?.body ?? null,
    isList: entry.kind !== 'item',
    fields: responseFields(entry),
    errors: operationErrors(entry, availabilityNow(entry, facts.overrides)),
    /** Link to the console with this call filled in; null if the endpoint is not launched. */
    tryHref: line.launched ? getTryHref(entry, example) : null,
  }
}

/** Content of an endpoint's page. */
export type OperationPage = Awaited<ReturnType<typeof operationPage>>
