import { keyPlaceholder } from '#components/docs/test-key.ts'

/** Headers that belong to a call and are made again with it; who called is not one of them. */
const repeated = [
  ['if-none-match', 'If-None-Match'],
  ['idempotency-key', 'Idempotency-Key'],
  ['x-svc-max-credits', 'X-SVC-Max-Credits'],
] as const

/** Text that means nothing to a shell between double quotes. */
const harmless = /^[\w\-./?=&%,:~+ ]*$/

/** A text as one word of a shell, whatever it holds. */
const quoted = (text: string): string => (harmless.test(text) ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`)

type Call = { readonly method: string; readonly target: string | null; readonly headers: Readonly<Record<string, string>> | null }

/** Whether something was cut where it was kept, so that it cannot be made again. */
const isCut = (text: string): boolean => text.includes('…')

/** The same call for a terminal, with the name of a variable in the place of the key; null when not all of it was kept. `baseUrl` ends with the version. */
export function curlOf({ method, target, headers }: Call, baseUrl: string): string | null {
  if (target === null || headers === null || isCut(target)) return null
  // curl itself reads brackets and braces as patterns.
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
