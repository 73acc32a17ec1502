/** The OpenAPI document from which the clients are generated. */
import { dataLicence } from '../server/api/contract/envelope.ts'
import { openApiDocument } from '../server/api/documents/openapi/document.ts'
import { MarketView } from '../server/market/market-view.ts'

/** JSON Schema, with the keywords that the document uses. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

type Rows = { items?: { readonly anyOf?: readonly object[] } }
export type Content = Record<string, { examples?: unknown; readonly schema?: { readonly properties?: { readonly data?: Rows } } }>

export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: {
    readonly $ref?: string
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description?: string
    readonly schema?: Schema
  }[]
  readonly requestBody?: { readonly content: Record<string, { examples?: unknown; readonly schema?: Schema }> }
  readonly responses: Record<string, { headers?: unknown; content?: Content }>
  readonly 'x-svc-price': { readonly credits: number; readonly per: 'request' | 'row' }
  readonly 'x-svc-availability': string
}

/** Example of an error response. */
type Example = { readonly summary: string; readonly value: { readonly error: string; readonly message: string } }

export type Document = {
  readonly paths: Record<string, Record<string, Operation>>
  readonly webhooks: Record<string, Record<string, { parameters: unknown; requestBody: { content: Record<string, { examples?: unknown }> } }>>
  readonly components: {
    readonly schemas: Record<string, object>
    readonly responses: Record<string, { headers?: unknown; content?: Record<string, { examples?: Readonly<Record<string, Example>> }> }>
    headers?: unknown
    parameters?: unknown
  }
}

/** Returns the OpenAPI document of the current code, independent of database, settings and date. */
export async function document(): Promise<Document> {
  const facts = { publicUrl: 'http://localhost:3000', overrides: new Map(), licence: dataLicence, deprecation: null, sunset: null }
  const sample = new MarketView({ providers: [], products: [], cards: [] })
  return JSON.parse(JSON.stringify(await openApiDocument({ ...facts, sample })))
}

export type Launched = { readonly path: string; readonly method: string; readonly operation: Operation }

/** Returns the launched operations that return JSON; the clients have no methods for files. */
export function launched({ paths }: Document): Launched[] {
  const all = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
  return all.filter(({ operation }) => operation['x-svc-availability'] !== 'coming-soon' && operation.responses['200']?.content?.['application/json'])
}

export const isPaged = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'cursor')
export const takesFields = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'fields')

/** Returns the names of the schemas for rows trimmed by `fields`. */
export const trimmedNames = ({ components }: Document) => new Set(Object.keys(components.schemas).filter((name) => name.endsWith('Fields')))
