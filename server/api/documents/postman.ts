import { createHash } from 'node:crypto'

/** Properties of an operation that determine its tests. */
type TestedOperation = { readonly availability: string; readonly isList: boolean; readonly isPaged: boolean }

const announced = [
  "pm.test('Announced endpoints return 404', () => {",
  '  pm.response.to.have.status(404)',
  "  pm.expect(pm.response.json().error).to.eql('not_found')",
  '})',
]

const answered = (isList: boolean) => [
  "pm.test('Status is 200', () => pm.response.to.have.status(200))",
  "pm.test('Body is an envelope', () => {",
  '  const { data, meta } = pm.response.json()',
  `  pm.expect(data).to.be.an('${isList ? 'array' : 'object'}')`,
  "  pm.expect(meta.requestId).to.eql(pm.response.headers.get('X-SVC-Request-Id'))",
  "  pm.expect(String(meta.creditsCharged)).to.eql(pm.response.headers.get('X-SVC-Credits-Charged'))",
  '})',
]

const paged = [
  "pm.test('Page has at most limit rows', () => {",
  '  const { data, meta } = pm.response.json()',
  '  pm.expect(data.length).to.be.at.most(meta.limit)',
  '  // For the cursor parameter of the next request.',
  "  pm.collectionVariables.set('nextCursor', meta.nextCursor || '')",
  '})',
]

/** Returns the lines of the script that Postman runs after a request. */
function testScript({ availability, isList, isPaged }: TestedOperation): string[] {
  if (availability === 'coming-soon') return announced
  return isPaged ? [...answered(isList), ...paged] : answered(isList)
}

type Json = { readonly [name: string]: unknown }
type Parameter = { readonly name?: string; readonly required?: boolean; readonly example?: unknown }
type Operation = Json & {
  readonly responses: Json
  readonly parameters: readonly Parameter[]
  readonly 'x-svc-availability': string
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

/** Derives a stable id from names, so that every build gives the same document. */
function getId(...names: readonly string[]): string {
  const hex = createHash('sha256').update(names.join('\0')).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

/** Sets an example value; otherwise, the converter would make up a random one. The cursor is a variable that the tests of a list set from its response. */
function withValue(parameter: Parameter): Parameter {
  if (parameter.name === 'cursor') return { ...parameter, example: '{{nextCursor}}' }
  return parameter.name === undefined || parameter.example !== undefined ? parameter : { ...parameter, example: `<${parameter.name}>` }
}

type Answer = Json & { readonly content: { readonly 'application/json': Json & { readonly schema: { readonly properties: { readonly data: Json } } } } }

/** Marks the parameters of the example call as required, so that the request sends them. */
function inExample(operation: Operation): (parameter: Parameter) => Parameter {
  const mark = operation['x-svc-example-call']?.indexOf('?') ?? -1
  const sent = new URLSearchParams(mark < 0 ? '' : operation['x-svc-example-call']?.slice(mark))
  return (parameter) => (parameter.name !== undefined && sent.has(parameter.name) ? { ...parameter, required: true } : parameter)
}

const getSuccess = ({ responses }: Operation) => responses['200'] as Answer

/** Reduces an operation to its success response, with content only if there is an example. Listing all errors for every request would be too much. */
function reduced(operation: Operation): object {
  const { headers: _, content, ...success } = getSuccess(operation)
  const shown = 'examples' in content['application/json'] ? { ...success, content } : success
  return { ...operation, parameters: operation.parameters.map(withValue).map(inExample(operation)), responses: { 200: shown } }
}

/** Removes the parts of the document that must not appear in the collection: webhooks, contact details and error responses. */
function forConversion({ webhooks: _, ...openApi }: OpenApi): object {
  const { contact: __, ...info } = openApi.info
  const reduceAll = (methods: Readonly<Record<string, Operation>>) => Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, reduced(one)]))
  const paths = Object.fromEntries(Object.entries(openApi.paths).map(([path, methods]) => [path, reduceAll(methods)]))
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
  const isList = getSuccess(operation).content['application/json'].schema.properties.data['type'] === 'array'
  return { availability: operation['x-svc-availability'], isList, isPaged: operation.parameters.some(({ name }) => name === 'cursor') }
}

function finish(openApi: OpenApi, item: Item, ...above: readonly string[]): object {
  const names = [...above, item.name]
  if (item.item) return { ...item, id: getId(...names), item: item.item.map((one) => finish(openApi, one, ...names)) }
  if (!item.request) throw new Error(`"${item.name}" is neither a folder nor a request.`)
  const { auth: _, body, ...request } = item.request
  const script = { id: getId(...names, 'test'), type: 'text/javascript', exec: testScript(testedOperation(openApi, item.request)) }
  const responses = item['response'] as readonly Json[]
  return {
    ...item,
    id: getId(...names),
    request: request.method === 'GET' ? request : { ...request, body },
    response: responses.map((response, place) => ({ ...response, id: getId(...names, `response ${place}`) })),
    event: [{ listen: 'test', script }],
  }
}

/** Builds the Postman collection of an OpenAPI document: a folder per group, tests for each request, and the key as a variable. */
export async function postmanCollection(document: object): Promise<object> {
  const openApi = document as OpenApi
  const { item, info } = await convert(openApi)
  return {
    info: { ...info, _postman_id: getId(String(openApi.info['title'])) },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    // Collection variables. After importing, users only have to set `apiKey`.
    variable: [
      { key: 'baseUrl', value: openApi.servers[0]?.['url'], type: 'string' },
      { key: 'apiKey', value: '', type: 'string', description: 'Your API key. A test key is enough for this collection.' },
      { key: 'nextCursor', value: '', type: 'string', description: 'Set by the tests of list requests.' },
    ],
    item: item.map((one) => finish(openApi, one)),
  }
}

/** Converts the OpenAPI document to a Postman collection, both as text. */
export async function postmanText(openApi: string): Promise<string> {
  return `${JSON.stringify(await postmanCollection(JSON.parse(openApi) as object), null, 2)}\n`
}
