/** Parts of the published document that the tests use. */
export type Json = { readonly [name: string]: unknown }

export type Parameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: Json
  readonly example?: unknown
}

export type Content = { readonly 'application/json': { readonly schema: Json; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> } }

export type ResponseObject = {
  readonly $ref?: string
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Content
}

export type Operation = Json & {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, ResponseObject>>
  readonly requestBody?: { readonly content: Content }
}

export type Header = { readonly required?: boolean; readonly schema: Json; readonly example: unknown }

export type OpenApi = Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly headers: Readonly<Record<string, Header>>
    readonly responses: Readonly<Record<string, ResponseObject>>
  }
}

export type Named = { readonly method: string; readonly path: string; readonly operation: Operation }

export const getOperations = (document: OpenApi): Named[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

const getLast = (reference: string) => reference.split('/').at(-1) ?? ''

/** Returns the response of an operation for a status, resolving references. */
export function getResponse(document: OpenApi, operation: Operation, status: number): ResponseObject | undefined {
  const response = operation.responses[String(status)]
  return response?.$ref === undefined ? response : document.components.responses[getLast(response.$ref)]
}

export const getHeader = (document: OpenApi, { $ref }: { readonly $ref: string }): Header | undefined => document.components.headers[getLast($ref)]

export const getParameter = (document: OpenApi, parameter: Parameter): Parameter =>
  parameter.$ref === undefined ? parameter : (document.components.parameters[getLast(parameter.$ref)] ?? parameter)
