import { manageScope } from '#server/api/contract/access.ts'
import { collectionScripts, skipScript, type TestedOperation, testScript } from './postman-scripts.ts'
import { getId } from './stable-id.ts'

type Json = { readonly [name: string]: unknown }
type Parameter = { readonly name?: string; readonly in?: string; readonly required?: boolean; readonly example?: unknown }
type Operation = Json & {
  readonly responses: Json
  readonly parameters: readonly Parameter[]
  readonly 'x-svc-availability': string
  readonly 'x-svc-plan'?: string
  readonly 'x-svc-scopes': readonly string[]
  readonly 'x-svc-example-call'?: string
}
type OpenApi = Json & {
  readonly info: Json
  readonly servers: readonly Json[]
  readonly components: Json
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

type Item = Json & {
  readonly name: string
  readonly item?: readonly Item[]
  readonly request?: Json & { readonly method: string; readonly url: { readonly path: readonly string[] } }
}

const options = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  enableOptionalParameters: false,
  includeAuthInfoInExample: false,
  alwaysInheritAuthentication: true,
  stackLimit: 50,
} as const

/** Variable for a path parameter, set by the tests of a list. */
type Lookup = { readonly variable: string; readonly list: string; readonly field: string; readonly isIn: RegExp }

/** Keys and slugs in paths. Test keys and live keys have separate data, so a fixed value would fail for one of them. */
const lookups: readonly Lookup[] = [
  { variable: 'providerSlug', list: '/reference/providers', field: 'slug', isIn: /\{slug\}/ },
  { variable: 'cardKey', list: '/reference/cards', field: 'sourceKey', isIn: /\/cards\/\{sourceKey\}/ },
  { variable: 'productKey', list: '/reference/products', field: 'sourceKey', isIn: /\{sourceKey\}/ },
  { variable: 'deliveryId', list: '/webhook-deliveries', field: 'id', isIn: /^\/webhook-deliveries\/\{id\}/ },
  { variable: 'alertId', list: '/alerts', field: 'id', isIn: /^\/alerts\/\{id\}/ },
  { variable: 'webhookId', list: '/webhooks', field: 'id', isIn: /^\/webhooks\/\{id\}/ },
]

const getLookup = (path: string) => lookups.find(({ isIn }) => isIn.test(path))

/**
 * Sets an example value; otherwise, the converter would make up a random one. The cursor is a variable that the tests of a list set from its response, and a key
 * or slug in the path is one that the tests of a reference list set.
 */
function withValue(path: string, parameter: Parameter): Parameter {
  if (parameter.name === 'cursor') return { ...parameter, example: '{{nextCursor}}' }
  const lookup = parameter.in === 'path' ? getLookup(path) : undefined
  if (lookup) return { ...parameter, example: `{{${lookup.variable}}}` }
  return parameter.name === undefined || parameter.example !== undefined ? parameter : { ...parameter, example: `<${parameter.name}>` }
}

type Content = Json & { readonly schema: { readonly properties: { readonly data: Json } } }

/** Success response. Files have no JSON. */
type Answer = Json & { readonly content: { readonly 'application/json'?: Content } }

/** Marks the parameters of the example call as required, so that the request sends them. */
function inExample(operation: Operation): (parameter: Parameter) => Parameter {
  const mark = operation['x-svc-example-call']?.indexOf('?') ?? -1
  const sent = new URLSearchParams(mark < 0 ? '' : operation['x-svc-example-call']?.slice(mark))
  return (parameter) => (parameter.name !== undefined && sent.has(parameter.name) ? { ...parameter, required: true } : parameter)
}

const getSuccess = ({ responses }: Operation) => responses['200'] as Answer

/** Reduces an operation to its success response, with content only if there is an example. Listing all errors for every request would be too much. */
function reduced(path: string, operation: Operation): object {
  const { headers: _, content, ...success } = getSuccess(operation)
  const shown = content['application/json'] && 'examples' in content['application/json'] ? { ...success, content } : success
  return { ...operation, parameters: operation.parameters.map((one) => withValue(path, one)).map(inExample(operation)), responses: { 200: shown } }
}

/** Removes the parts of the document that must not appear in the collection: webhooks, contact details and error responses. */
function forConversion({ webhooks: _, ...openApi }: OpenApi): object {
  const { contact: __, ...info } = openApi.info
  const reduceAll = (path: string, methods: Readonly<Record<string, Operation>>) =>
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, reduced(path, one)]))
  const paths = Object.fromEntries(Object.entries(openApi.paths).map(([path, methods]) => [path, reduceAll(path, methods)]))
  return { ...openApi, info, paths, components: { ...openApi.components, responses: {} } }
}

/** Runs the converter. It is imported lazily because loading it takes half a second. */
async function convert(openApi: OpenApi): Promise<Json & { readonly item: readonly Item[]; readonly info: Json }> {
  const { convertV2 } = await import('openapi-to-postmanv2')
  return new Promise((resolve, reject) => {
    convertV2({ type: 'json', data: forConversion(openApi) }, options, (error, result) => {
      const made = result?.output?.[0]?.data
      if (error || !made) reject(error ?? new Error(`Conversion to a Postman collection failed: ${result?.reason}`))
      else resolve(made as never)
    })
  })
}

function testedOperation(openApi: OpenApi, { method, url }: NonNullable<Item['request']>): TestedOperation {
  const path = `/${url.path.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/')}`
  const operation = openApi.paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`${method} ${path} is in the Postman collection but not in the OpenAPI document.`)
  const json = getSuccess(operation).content['application/json']
  const data = json === undefined ? 'file' : json.schema.properties.data['type'] === 'array' ? 'array' : 'object'
  const isPaged = operation.parameters.some(({ name }) => name === 'cursor')
  const variables = lookups.flatMap(({ list, variable, field }) => (data === 'array' && list === path ? [[variable, field] as const] : []))
  return {
    availability: operation['x-svc-availability'],
    needsPlan: operation['x-svc-plan'] !== undefined,
    needsManage: operation['x-svc-scopes'].includes(manageScope),
    isAction: method !== 'GET' && operation['x-svc-availability'] !== 'coming-soon',
    data,
    isPaged,
    variables,
  }
}

function finish(openApi: OpenApi, item: Item, ...above: readonly string[]): object {
  const names = [...above, item.name]
  if (item.item) return { ...item, id: getId(...names), item: item.item.map((one) => finish(openApi, one, ...names)) }
  if (!item.request) throw new Error(`"${item.name}" is neither a folder nor a request.`)
  const { auth: _, body, ...request } = item.request
  const tested = testedOperation(openApi, item.request)
  const script = { id: getId(...names, 'test'), type: 'text/javascript', exec: testScript(tested) }
  const before = { id: getId(...names, 'before'), type: 'text/javascript', exec: skipScript }
  const responses = item['response'] as readonly Json[]
  return {
    ...item,
    id: getId(...names),
    request: request.method === 'GET' ? request : { ...request, body },
    response: responses.map((response, place) => ({ ...response, id: getId(...names, `response ${place}`) })),
    event: [...(tested.isAction ? [{ listen: 'prerequest', script: before }] : []), { listen: 'test', script }],
  }
}

/** Returns the example of the parameter that a variable replaces: the value for test keys until a list sets it. */
function sampleValue(openApi: OpenApi, { variable }: Lookup): string {
  const [path, methods] = Object.entries(openApi.paths).find(([path]) => getLookup(path)?.variable === variable) ?? ['', {}]
  const parameters = Object.values(methods).flatMap((operation) => operation.parameters)
  return String(parameters.find((one) => one.in === 'path' && path.includes(`{${one.name}}`))?.example ?? '')
}

/** Returns the collection's variables. After importing it, users only have to set `apiKey`. */
function getVariables(openApi: OpenApi): readonly Json[] {
  const own = lookups.map((lookup) => ({
    key: lookup.variable,
    value: sampleValue(openApi, lookup),
    type: 'string',
    description: `Set by the tests of GET ${lookup.list}. Send that request first after changing the API key.`,
  }))
  return [
    { key: 'baseUrl', value: openApi.servers[0]?.['url'], type: 'string' },
    { key: 'apiKey', value: '', type: 'string', description: 'Your API key. A test key is enough for this collection.' },
    { key: 'waitForLimit', value: 'false', type: 'string', description: 'Set to true to wait for the next minute when the per-minute limit is reached.' },
    { key: 'sendChanges', value: 'false', type: 'string', description: 'Set to true to send requests that change your account. Otherwise, they are skipped.' },
    { key: 'nextCursor', value: '', type: 'string', description: 'Set by the tests of list requests.' },
    ...own,
  ]
}

/** Builds the Postman collection of an OpenAPI document: a folder per group, tests for each request, and the key as a variable. */
export async function postmanCollection(document: object): Promise<object> {
  const openApi = document as OpenApi
  const { item, info } = await convert(openApi)
  return {
    info: { ...info, _postman_id: getId(String(openApi.info['title'])) },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: getVariables(openApi),
    event: Object.entries(collectionScripts).map(([listen, exec]) => ({ listen, script: { id: getId(listen), type: 'text/javascript', exec } })),
    item: item.map((one) => finish(openApi, one)),
  }
}

/** Converts the OpenAPI document to a Postman collection, both as text. */
export async function postmanText(openApi: string): Promise<string> {
  return `${JSON.stringify(await postmanCollection(JSON.parse(openApi) as object), null, 2)}\n`
}
