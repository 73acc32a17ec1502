import { keyPlaceholder } from '#components/docs/test-key.ts'

/** Request headers that the curl command repeats. The Authorization header is not one of them. */
const repeated = [
  ['if-none-match', 'If-None-Match'],
  ['idempotency-key', 'Idempotency-Key'],
  ['x-svc-max-credits', 'X-SVC-Max-Credits'],
] as const

/** Text without special meaning to a shell inside double quotes. */
const harmless = /^[\w\-./?=&%,:~+ ]*$/

/** Quotes any text as a single shell argument. */
const quoted = (text: string): string => (harmless.test(text) ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`)

type Call = { readonly method: string; readonly target: string | null; readonly headers: Readonly<Record<string, string>> | null }

/** True if the text was truncated when it was stored, so the call can't be repeated. */
const isCut = (text: string): boolean => text.includes('…')

/** Returns the call as a curl command with a placeholder for the key, or null if parts of it were not stored. `baseUrl` ends with the version. */
export function getCurl({ method, target, headers }: Call, baseUrl: string): string | null {
  if (target === null || headers === null || isCut(target)) return null
  // Without --globoff curl expands brackets and braces.
  const plain = /[[\]{}]/.test(target) ? ' --globoff' : ''
  const lines = [
    `curl${plain}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(baseUrl + target)}`,
    `-H "Authorization: Bearer ${keyPlaceholder}"`,
    ...repeated.flatMap(([name, shown]) => {
      const value = headers[name]
      return value === undefined || isCut(value) ? [] : [`-H ${quoted(`${shown}: ${value}`)}`]
    }),
  ]
  return lines.join(' \\\n  ')
}
