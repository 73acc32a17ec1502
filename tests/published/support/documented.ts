import { expect } from 'vitest'
import type { ApiAnswer, Stage } from '../../v1/support/stage.ts'
import { headerOf, type Named, type OpenApi, responseOf } from './open-api.ts'
import { Validator } from './validator.ts'

/** Headers of the transport, which no document of an API names. */
const transport =
  'date connection keep-alive content-length content-type cache-control vary x-content-type-options transfer-encoding referrer-policy content-security-policy strict-transport-security'.split(
    ' ',
  )

/** A header as the type that its schema has. */
const typed = (text: string, type: unknown) => (type === 'integer' ? Number(text) : text)

let kept: { readonly text: string; readonly documented: Documented } | null = null

/** The document that a stage serves, and answers measured by it. */
export class Documented {
  readonly document: OpenApi
  private readonly validator: Validator

  private constructor(document: OpenApi) {
    this.document = document
    this.validator = new Validator(document)
  }

  /** Both mounts serve the same document to every test: what is made of it is kept for as long as it is the same. */
  static async by(stage: Stage): Promise<Documented> {
    const { text, body } = await stage.raw('GET', '/api/developer/openapi.json')
    if (kept?.text !== text) kept = { text, documented: new Documented(body) }
    return kept.documented
  }

  /** Expects that the document says everything about an answer: its status, its body, its headers, and no header besides. */
  expect(answer: ApiAnswer, { operation }: Named, what: string): void {
    const response = responseOf(this.document, operation, answer.status)
    if (!response) throw new Error(`${what}: ${answer.status} is not in the document: ${answer.text}`)
    if (response.content) this.validator.expectValid(answer.body, response.content['application/json'].schema, what)
    else expect(answer.text, what).toBe('')
    for (const name of Object.keys(response.headers)) this.expectHeader(answer, name, response.headers[name] ?? { $ref: '' }, what)
    const known = [...transport, ...Object.keys(response.headers).map((name) => name.toLowerCase())]
    expect(
      [...answer.headers.keys()].filter((name) => !known.includes(name)),
      what,
    ).toEqual([])
  }

  private expectHeader(answer: ApiAnswer, name: string, reference: { readonly $ref: string }, what: string): void {
    const header = headerOf(this.document, reference)
    const value = answer.headers.get(name)
    if (!header) throw new Error(`${reference.$ref} leads nowhere.`)
    if (value === null) expect([what, name, header.required ?? false]).toEqual([what, name, false])
    else this.validator.expectValid(typed(value, header.schema['type']), header.schema, `${what} ${name}`)
  }
}

/** The example call of an operation; other values for its parameters where they are given. A call that is not launched has its bare path. */
export function exampleTarget({ path, operation }: Named, replaced: Readonly<Record<string, string>> = {}): string {
  const query = String(operation['x-svc-example-call'] ?? '').split('?')[1]
  const filled = operation.parameters
    .filter((one) => one.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(replaced[name] ?? String(example))), path)
  return query === undefined ? filled : `${filled}?${query}`
}
