/** Generates the descriptions of endpoints for the command line of the TypeScript client. */
import { type Document, type Launched, launched, type Operation } from './client-document.ts'

const text = (value: unknown) => JSON.stringify(value)

function parameter({ name, in: place, required, description = '', schema = {} }: Operation['parameters'][number]): string {
  const values = schema.enum ?? []
  return `{ name: ${text(name)}, place: ${text(place)}, isRequired: ${required}, values: ${text(values)}, text: ${text(description)} }`
}

function endpoint({ path, operation: { operationId, summary, description, parameters } }: Launched): string {
  const own = parameters.filter(({ $ref }) => $ref === undefined).map((one) => `      ${parameter(one)},\n`)
  const list = own.length === 0 ? '[]' : `[\n${own.join('')}    ]`
  return `  {
    id: ${text(operationId)},
    path: ${text(path)},
    summary: ${text(summary)},
    description: ${text(description)},
    parameters: ${list},
  },
`
}

/** Generates endpoints.ts. The command line only reads, so it has no commands for other methods. */
export function endpoints(full: Document, notice: string): string {
  const readable = launched(full).filter(({ method }) => method === 'get')
  return `${notice}
import type { OperationId } from '../shapes.ts'

/** Endpoint in the OpenAPI document. */
export type Endpoint = {
  readonly id: OperationId
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
}

export type Parameter = {
  readonly name: string
  readonly place: 'path' | 'query'
  readonly isRequired: boolean
  /** Allowed values; empty if there is no fixed list. */
  readonly values: readonly unknown[]
  readonly text: string
}

/** Endpoints that the command line can call. */
export const endpoints: readonly Endpoint[] = [
${readable.map(endpoint).join('')}]
`
}
