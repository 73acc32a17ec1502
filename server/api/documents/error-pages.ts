import { type ErrorCode, errorCodes, errors } from '#server/api/contract/errors.ts'
import { errorTexts } from './error-texts.ts'
import { exampleRequestId } from './openapi/example-call.ts'

/** Everything that the page of an error code says. */
export type ErrorPage = {
  readonly code: ErrorCode
  readonly status: number
  readonly when: string
  readonly why: string
  readonly next: readonly string[]
  /** Fields that this code adds to the four that every error has. */
  readonly fields: readonly { readonly name: string; readonly text: string }[]
  readonly example: object
}

/** What a caller who gets a code reads, with the fields that the code adds. `publicUrl` has no slash at the end. */
export function errorAnswer(code: ErrorCode, publicUrl: string): object {
  const { example } = errorTexts[code]
  const common = { error: code, message: errors[code].message, requestId: `req_${exampleRequestId}`, docs: `${publicUrl}/docs/errors/${code}` }
  return { ...common, ...example, ...('topUp' in example && { topUp: example.topUp.replace('https://…', publicUrl) }) }
}

/** The page of a code, or null when there is no such code. Addresses on it begin with `publicUrl`. */
export function errorPage(text: string, publicUrl: string): ErrorPage | null {
  const code = errorCodes.find((known) => known === text)
  if (code === undefined) return null
  const { status, when } = errors[code]
  const { why, next, fields } = errorTexts[code]
  return {
    code,
    status,
    when,
    why,
    next,
    fields: Object.entries(fields).map(([name, words]) => ({ name, text: words })),
    example: errorAnswer(code, publicUrl),
  }
}

/** All codes with their status and what they mean, in the order of the contract. */
export function errorList(): { code: ErrorCode; status: number; when: string }[] {
  return errorCodes.map((code) => ({ code, status: errors[code].status, when: errors[code].when }))
}
