import { plans } from '#server/api/contract/plans.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { availabilityNow, type CatalogueLine, catalogue } from '../catalogue.ts'
import { type EndpointParameter, getParameters } from '../endpoint-parameters.ts'
import { type ExampleCall, exampleCall, exampleValue } from '../openapi/example-call.ts'
import { getGroup } from '../openapi/names.ts'
import type { PublishedValues } from '../published-values.ts'
import { type OperationError, operationErrors } from './operation-errors.ts'
import { type RequestSample, requestSamples } from './operation-requests.ts'
import { operationPath, operationSlug } from './operation-slug.ts'
import { type ResponseField, responseFields } from './response-fields.ts'
import { getRange, getValues, typeOf } from './schema-text.ts'

type Entry = (typeof registry)[number]

export type OperationParameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly isRequired: boolean
  readonly type: string
  readonly description: string
  readonly values: readonly string[]
  /** Value that works with a test key; null if none is known. */
  readonly example: string | null
}

/** Content of an endpoint's page. */
export type OperationPage = {
  readonly line: CatalogueLine
  /** Path of the page. */
  readonly href: string
  /** Summary without the full stop. */
  readonly title: string
  readonly group: string
  readonly description: string | null
  readonly tool: string
  /** Describes access with live and test keys. */
  readonly access: string
  readonly parameters: readonly OperationParameter[]
  readonly requests: readonly RequestSample[]
  /** Response to a test key with shortened lists; null for an announced endpoint. */
  readonly answer: object | null
  readonly isList: boolean
  readonly fields: readonly ResponseField[]
  readonly errors: readonly OperationError[]
  /** Link to the console with this call filled in; null if the endpoint is not launched. */
  readonly tryHref: string | null
}

const withStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function describe({ description, when }: Entry): string | null {
  const words = [description, when && `Use it ${when}`].flatMap((text) => (text === undefined ? [] : [withStop(text)]))
  return words.length === 0 ? null : words.join(' ')
}

function accessText(entry: Entry, line: CatalogueLine): string {
  if (!line.launched) return 'Coming soon: returns 404.'
  const sample = entry.sampled ? 'Test keys read sample data.' : 'Test and live keys read the same data.'
  if (line.availability === 'Test only') return `Test only: live keys get 403 and are not charged. ${sample}`
  const plan = entry.plan === undefined ? '' : ` Live keys need the ${plans[entry.plan].label} plan.`
  return `Open to live and test keys.${plan} ${sample}`
}

function getParameter(parameter: EndpointParameter, example: ExampleCall | null, facts: PublishedValues): OperationParameter {
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
    example: exampleValue(parameter, example, facts) ?? null,
  }
}

function getTryHref(entry: Entry, example: ExampleCall | null): string {
  return `/console?${new URLSearchParams({ endpoint: operationSlug(entry), ...example?.values }).toString()}`
}

/** Finds the endpoint by the slug of its page. */
export function getEntry(slug: string): Entry | null {
  return registry.find((entry) => operationSlug(entry) === slug) ?? null
}

/** Builds the page of an endpoint from its declaration and an example response. */
export async function operationPage(entry: Entry, facts: PublishedValues): Promise<OperationPage> {
  const line = catalogue(facts.overrides).find(({ id }) => id === entry.id)
  if (!line) throw new Error(`${entry.id} is not in the catalogue.`)
  const example = await exampleCall(entry, facts)
  return {
    line,
    href: operationPath(entry),
    title: entry.summary.replace(/\.$/, ''),
    group: getGroup(entry).name,
    description: describe(entry),
    tool: entry.tool,
    access: accessText(entry, line),
    parameters: getParameters(entry).map((parameter) => getParameter(parameter, example, facts)),
    requests: example ? requestSamples(entry, example.values, facts.publicUrl) : [],
    answer: example?.body ?? null,
    isList: entry.kind !== 'item',
    fields: responseFields(entry),
    errors: operationErrors(entry, availabilityNow(entry, facts.overrides)),
    tryHref: line.launched ? getTryHref(entry, example) : null,
  }
}
