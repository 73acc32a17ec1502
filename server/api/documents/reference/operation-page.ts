import { plans } from '#server/api/contract/access.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { type ErrorCode, portalErrors } from '#server/api/contract/errors.ts'
import { allEndpoints, type registry } from '#server/api/endpoints/registry.ts'
import { availabilityNow, type CatalogueLine, catalogueLine } from '../catalogue.ts'
import { type BodyField, type EndpointParameter, getBodyFields, getParameters } from '../endpoint-parameters.ts'
import { errorList } from '../error-texts.ts'
import { type ExampleCall, exampleCall, exampleValue, getTarget, rowsShown } from '../openapi/examples.ts'
import { getGroup } from '../openapi/names.ts'
import type { PublishedValues } from '../published-values.ts'
import { menuName } from './menu-names.ts'
import { operationPath, operationSlug } from './operation-groups.ts'
import { actionSamples, requestSamples } from './request-samples.ts'
import { getRange, getValues, responseFields, typeOf } from './schema-text.ts'

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
  const sentences = [when && `Use it ${when}`, description].flatMap((text) => (text === undefined ? [] : [withStop(text)]))
  return sentences.length === 0 ? null : sentences.join(' ')
}

function accessText(entry: Entry, line: CatalogueLine): string {
  if (!line.launched) return 'Coming soon: returns 404.'
  const sample = entry.sampled ? 'Test keys read sample data.' : 'Test and live keys read the same data.'
  if (line.availability === 'Test only') return `Test only: live keys get 403 and are not charged. ${sample}`
  const plan = entry.plan === undefined ? '' : ` Live keys need the ${plans[entry.plan].label} plan.`
  return `Open to live and test keys.${plan} ${sample}`
}

function getParameter(parameter: EndpointParameter | BodyField, example: ExampleCall | null, facts: PublishedValues) {
  const { name, required, schema } = parameter
  const standard = schema['default']
  const description = [parameter.description, standard === undefined || parameter.description.includes('Default') ? '' : `Default ${standard}.`]
    .filter((text) => text !== '')
    .join(' ')
  return {
    name,
    in: parameter.in,
    isRequired: required,
    type: typeOf(schema),
    /** Range of a number; empty if there is none. */
    range: getRange(schema),
    description,
    values: getValues(schema),
    /** Value that works with a test key; null if none is known. */
    example: (parameter.in === 'body' ? undefined : exampleValue(parameter, example, facts)) ?? null,
  }
}

/** Returns true for endpoints that a reference page can call: launched GET endpoints. */
const isCallable = (entry: Entry, overrides: ReadonlyMap<string, Availability>) => entry.method === 'GET' && availabilityNow(entry, overrides) !== 'coming-soon'

/** Returns the parameters of the example call, in the order of the documentation. Lists get a limit, so that the response matches the one on the page. */
function exampleValues(entry: Entry, example: ExampleCall): Readonly<Record<string, string>> {
  const values: Readonly<Record<string, string>> = { ...(entry.kind === 'list' && { limit: String(rowsShown) }), ...example.values }
  const names = getParameters(entry).map(({ name }) => name)
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}

/** Returns the endpoint whose page has this slug, or null. */
export function getEntry(slug: string): Entry | null {
  return allEndpoints.find((entry) => operationSlug(entry) === slug) ?? null
}

/** Returns the example call as code. */
const getSamples = (entry: Entry, url: string) => (entry.method === 'GET' ? requestSamples(url, entry.kind) : actionSamples(entry, url))

/** Builds the page of an endpoint from its declaration and an example response. */
export async function operationPage(entry: Entry, facts: PublishedValues) {
  const line = catalogueLine(entry, facts.overrides)
  const example = await exampleCall(entry, facts)
  const values = example === null ? {} : exampleValues(entry, example)
  return {
    line,
    href: operationPath(entry),
    /** Name in the navigation. */
    name: menuName(entry),
    /** Summary without the full stop. */
    title: entry.summary.replace(/\.$/, ''),
    group: getGroup(entry).name,
    description: describe(entry),
    tool: entry.tool,
    /** Sentences that explain which keys can call the endpoint. */
    access: accessText(entry, line),
    parameters: [...getParameters(entry), ...getBodyFields(entry)].map((parameter) => getParameter(parameter, example, facts)),
    /** Parameters of the example call. */
    values,
    requests: example ? getSamples(entry, `${facts.publicUrl}/v1${getTarget(entry, values)}`) : [],
    /** Example response to a test key, with shortened lists; null if there is none. */
    answer: entry.kind === 'file' ? null : (example?.body ?? null),
    isList: entry.kind !== 'item',
    fields: responseFields(entry),
    errors: operationErrors(entry, availabilityNow(entry, facts.overrides)),
    /** True if the page can make calls. */
    isCallable: isCallable(entry, facts.overrides),
  }
}

/** Content of an endpoint's page. */
export type OperationPage = Awaited<ReturnType<typeof operationPage>>
