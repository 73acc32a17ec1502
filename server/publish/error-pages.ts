import { type ErrorCode, errorCodes, errors } from '../contract/errors.ts'
import { errorTexts } from './error-texts.ts'

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

/** The page of a code, or null when there is no such code. */
export function errorPage(text: string): ErrorPage | null {
  const code = errorCodes.find((known) => known === text)
  if (code === undefined) return null
  const { status, when, message } = errors[code]
  const { why, next, fields, example } = errorTexts[code]
  return {
    code,
    status,
    when,
    why,
    next,
    fields: Object.entries(fields).map(([name, words]) => ({ name, text: words })),
    example: { error: code, message, requestId: 'req_…', docs: `https://…/docs/errors/${code}`, ...example },
  }
}

/** All codes with their status and what they mean, in the order of the contract. */
export function errorList(): { code: ErrorCode; status: number; when: string }[] {
  return errorCodes.map((code) => ({ code, status: errors[code].status, when: errors[code].when }))
}
