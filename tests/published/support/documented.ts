import { expect } from 'vitest'
import type { ApiAnswer, Fixture } from '../../v1/support/fixture.ts'
import { getHeader, getResponse, type Json, type Named, type OpenApi, type ResponseObject } from './open-api.ts'
import { Validator } from './validator.ts'

/** Transport headers, which API documents don't list. */
const transport =
  'date connection keep-alive content-length content-encoding content-type cache-control vary x-content-type-options transfer-encoding referrer-policy content-security-policy strict-transport-security'.split(
    ' ',
  )

/** Converts a header value to the type that its schema declares. */
const typed = (text: string, type: unknown) => (type === 'integer' ? Number(text) : text)

let kept: { readonly text: string; readonly documented: Documented } | null = null

/** OpenAPI document served by a test server, with methods that check responses against it. */
export class Documented {
  readonly document: OpenApi
  private readonly validator: Validator

  private constructor(document: OpenApi) {
    this.document = document
    this.validator = new Validator(document)
  }

  /** Returns the document of a test server. The parsed document is cached, because both mounts always serve the same one. */
  static async by(fixture: Fixture): Promise<Documented> {
    const { text, body } = await fixture.raw('GET', '/api/developer/openapi.json')
    if (kept?.text !== text) kept = { text, documented: new Documented(body) }
    return kept.documented
  }

  /** Expects the document to describe a response completely: status, body and headers, without undocumented headers. */
  expect(answer: ApiAnswer, { operation }: Named, what: string): void {
    const response = getResponse(this.document, operation, answer.status)
    if (!response) throw new Error(`${what}: ${answer.status} is not in the document: ${answer.text}`)
    const content = this.getContent(response, answer)
    if (content === undefined) expect([what, answer.text, response.content]).toEqual([what, '', undefined])
    else this.validator.expectValid(content.isJson ? answer.body : answer.text, content.schema, what)
    for (const name of Object.keys(response.headers)) this.expectHeader(answer, name, response.headers[name] ?? { $ref: '' }, what)
    const known = [...transport, ...Object.keys(response.headers).map((name) => name.toLowerCase())]
    expect(
      [...answer.headers.keys()].filter((name) => !known.includes(name)),
      what,
    ).toEqual([])
  }

  /** Returns the schema of the body for the media type of a response. */
  private getContent({ content }: ResponseObject, { headers }: ApiAnswer): { readonly schema: Json; readonly isJson: boolean } | undefined {
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    const documented = content?.[type as keyof typeof content]
    return documented && { schema: documented.schema, isJson: type === 'application/json' }
  }

  private expectHeader(answer: ApiAnswer, name: string, reference: { readonly $ref: string }, what: string): void {
    const header = getHeader(this.document, reference)
    const value = answer.headers.get(name)
    if (!header) throw new Error(`${reference.$ref} does not exist.`)
    if (value === null) expect([what, name, header.required ?? false]).toEqual([what, name, false])
    else this.validator.expectValid(typed(value, header.schema['type']), header.schema, `${what} ${name}`)
  }
}

/** Returns the example call of an operation, with the given values for parameters. An operation that hasn't launched has only its path. */
export function exampleTarget({ path, operation }: Named, replaced: Readonly<Record<string, string>> = {}): string {
  const query = String(operation['x-svc-example-call'] ?? '').split('?')[1]
  const filled = operation.parameters
    .filter((one) => one.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(replaced[name] ?? String(example))), path)
  return query === undefined ? filled : `${filled}?${query}`
}
