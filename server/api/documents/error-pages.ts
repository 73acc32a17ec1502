import { type ErrorCode, errorCodes, errors } from '#server/api/contract/errors.ts'
import { errorTexts } from './error-texts.ts'
import { exampleRequestId } from './openapi/example-call.ts'

/** Content of an error code's page. */
export type ErrorPage = {
  readonly code: ErrorCode
  readonly status: number
  readonly when: string
  readonly why: string
  readonly next: readonly string[]
  /** Fields that this code adds to the four common ones. */
  readonly fields: readonly { readonly name: string; readonly text: string }[]
  readonly example: object
}

/** Returns an example of the error body. `publicUrl` has no trailing slash. */
export function errorAnswer(code: ErrorCode, publicUrl: string): object {
  const { example } = errorTexts[code]
  const common = { error: code, message: errors[code].message, requestId: `req_${exampleRequestId}`, docs: `${publicUrl}/docs/errors/${code}` }
  return { ...common, ...example, ...('topUp' in example && { topUp: example.topUp.replace('https://…', publicUrl) }) }
}

/** Returns the page of a code, or null if the code is unknown. URLs on it start with `publicUrl`. */
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
    fields: Object.entries(fields).map(([name, description]) => ({ name, text: description })),
    example: errorAnswer(code, publicUrl),
  }
}

/** Returns all codes with status and meaning, in the order of the contract. */
export function errorList(): { code: ErrorCode; status: number; when: string }[] {
  return errorCodes.map((code) => ({ code, status: errors[code].status, when: errors[code].when }))
}
