/** Generates a class for each error of the API for the Python client. */
import type { Document } from './client-document.ts'
import { docstring, pascal, quoted } from './python-names.ts'

/** Converts `rate_limited` to `RateLimitedError`, and `internal_error` to `InternalError`. */
const className = (code: string): string => `${pascal(code).replace(/Error$/, '')}Error`

/** Generates errors.py. */
export function pythonErrors({ components }: Document, notice: string): string {
  const examples = Object.values(components.responses).flatMap(({ content }) => Object.values(content?.['application/json']?.examples ?? {}))
  const texts = new Map(examples.map(({ summary, value }) => [value.error, [summary, value.message]]))
  const classes = [...texts].map(([code, text]) => `class ${className(code)}(SavingsRatesError):\n${docstring(text, [], '    ')}`)
  const rows = [...texts.keys()].map((code) => `    ${quoted(code)}: ${className(code)},\n`)
  return [
    `${notice}"""Errors of the API, and what to do about them."""\n\nfrom __future__ import annotations\n\nfrom .._base_error import SavingsRatesError\n`,
    ...classes,
    `#: Class of each error code.\nERRORS: dict[str, type[SavingsRatesError]] = {\n${rows.join('')}}\n`,
  ].join('\n\n')
}
