import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { type Content, type Document, document, isPaged, type Launched, launched, type Operation, takesFields, trimmedNames } from './client-document.ts'
import { endpoints } from './client-endpoints.ts'

const notice = '// Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.\n'

function leanContent(content: Content = {}): void {
  for (const one of Object.values(content)) delete one.examples
}

function leanResponse(response: { headers?: unknown; content?: Content }): void {
  delete response.headers
  leanContent(response.content)
}

function leanOperation(operation: Operation): void {
  const parameters = operation.parameters.filter((one) => one.$ref === undefined).map(withoutExample)
  // Removes the summary and description, because they are in the method's comment.
  Object.assign(operation, { parameters, summary: undefined, description: undefined })
  for (const response of Object.values(operation.responses)) leanResponse(response)
  leanContent(operation.requestBody?.content)
  wholeRows(operation)
}

/** Replaces the types of rows trimmed by `fields` with the types of whole rows, because the client's methods have their own types for `fields`. */
function wholeRows(operation: Operation): void {
  for (const { schema } of Object.values(operation.responses['200']?.content ?? {})) {
    const rows = schema?.properties?.data
    const [whole] = rows?.items?.anyOf ?? []
    if (rows && whole) rows.items = whole
  }
}

/** Removes parts that the generated types don't need, mainly headers and examples, to keep the types readable in an editor. */
function leaned(full: Document): Document {
  const lean = structuredClone(full)
  const callable = new Set(launched(lean).map(({ path }) => path))
  for (const path of Object.keys(lean.paths)) if (!callable.has(path)) delete lean.paths[path]
  for (const { operation } of launched(lean)) leanOperation(operation)
  for (const response of Object.values(lean.components.responses)) leanResponse(response)
  for (const operation of Object.values(lean.webhooks).flatMap((methods) => Object.values(methods))) {
    delete operation.parameters
    leanContent(operation.requestBody.content)
  }
  for (const name of trimmedNames(full)) delete lean.components.schemas[name]
  delete lean.components.headers
  delete lean.components.parameters
  return lean
}

const withoutExample = <Parameter extends object>(parameter: Parameter) => Object.fromEntries(Object.entries(parameter).filter(([name]) => name !== 'example'))

/** Formats an operation as a row of the call table. */
function fact({ path, method: verb, operation }: Launched): string {
  const { credits, per } = operation['x-svc-price']
  return `  ${operation.operationId}: { method: '${verb.toUpperCase()}', path: '${path}', credits: ${credits}, per: '${per}', isPaged: ${isPaged(operation)} },\n`
}

function comment({ summary, description }: Operation): string {
  const lines = `${summary}\n\n${description}`.replaceAll('*/', '*\u200b/').split('\n')
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n')
}

/** Formats the client method for an operation. Its types let `fields` trim the rows of a list, and a call with an ETag return `Unchanged`. */
function method({ operation }: Launched): string {
  const id = operation.operationId
  const input = operation.requestBody !== undefined || operation.parameters.some(({ required }) => required) ? '' : ' = {}'
  const tag = 'T extends Tag = undefined'
  const [generics, taken, body] = takesFields(operation)
    ? [`F extends FieldOf<'${id}'> = FieldOf<'${id}'>, ${tag}`, `PageInput<'${id}', F>`, `PageBody<'${id}', F>`]
    : [tag, `Input<'${id}'>`, `Body<'${id}'>`]
  const lines = [
    comment(operation),
    `  ${id}<${generics}>(input: ${taken}${input}, options?: CallOptions<T>): Promise<Answer<${body}> | IfUnchanged<T>> {`,
    `    return this.call('${id}', input, options)`,
    '  }',
  ]
  return `${lines.join('\n')}\n`
}

function methods(full: Document): string {
  return `${notice}
import type { Answer, Envelope, IfUnchanged } from '../answer.ts'
import type { CallOptions, Tag } from '../call-options.ts'
import type { Body, FieldOf, Input, OperationId, PageBody, PageInput } from '../shapes.ts'

/** One method for each endpoint of the API. */
export abstract class Operations {
  protected abstract call<B extends Envelope, T extends Tag>(id: OperationId, input: object, options?: CallOptions<T>): Promise<Answer<B> | IfUnchanged<T>>

${launched(full).map(method).join('\n')}}
`
}

function facts(full: Document): string {
  return `${notice}
/** Method, path and price of each operation, in credits per request or per row. */
export const table = {
${launched(full).map(fact).join('')}} as const
`
}

/** Exports each named schema of the document as a type. */
function records(full: Document): string {
  const trimmed = trimmedNames(full)
  const names = Object.keys(full.components.schemas).filter((name) => !(name.endsWith('Error') || /Meta$/.test(name) || trimmed.has(name)))
  const lines = names.map((name) => `export type ${name} = components['schemas']['${name}']\n`)
  return `${notice}\nimport type { components } from './schema.ts'\n\n${lines.join('')}`
}

/** Generates the files of `client/src/generated` from the current code. */
export async function clientSources(): Promise<{ readonly name: string; readonly text: string }[]> {
  const full = await document()
  // Removes the `paths` interface, because the paths are in table.ts.
  const types = astToString(await openapiTypes(leaned(full) as unknown as OpenAPI3))
    .replace(/export interface paths \{\n[\s\S]*?\n\}\n/, '')
    .replace(/export type \$defs = .*\n/, '')
  return [
    { name: 'schema.ts', text: `${notice}\n${types}` },
    { name: 'table.ts', text: facts(full) },
    { name: 'operations.ts', text: methods(full) },
    { name: 'records.ts', text: records(full) },
    { name: 'endpoints.ts', text: endpoints(full, notice) },
  ]
}
