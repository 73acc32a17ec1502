import { keyPlaceholder } from '#components/docs/test-key.ts'

export type Snippet = { readonly label: string; readonly language: string; readonly code: string }

const rates = '/rates?type=easy-access&limit=3'

/** Returns the path of a call that a key with these scopes may make. */
const callFor = (scopes: readonly string[]): string => (scopes.includes('rates:read') ? rates : '/ping')

/** Returns example code for the first call with a new key, in three languages. */
export const keySnippets = (baseUrl: string, { key, scopes }: { key: string; scopes: readonly string[] }): Snippet[] =>
  buildSnippets(`${baseUrl}${callFor(scopes)}`, key)

/** Returns example code for an account's first call, in three languages. `key` is a test key or a placeholder. */
export const firstCallSnippets = (baseUrl: string, key: string): Snippet[] => buildSnippets(`${baseUrl}${rates}`, key)

function buildSnippets(url: string, key: string): Snippet[] {
  return [
    { label: 'curl', language: 'sh', code: `curl "${url}" \\\n  -H "Authorization: Bearer ${key}"` },
    {
      label: 'JavaScript',
      language: 'js',
      code: [
        `const response = await fetch('${url}', {`,
        `  headers: { Authorization: 'Bearer ${key}' },`,
        '})',
        'const { data, meta } = await response.json()',
        'console.log(data, meta.creditsBalance)',
      ].join('\n'),
    },
    {
      label: 'Python',
      language: 'python',
      code: [
        'import json, urllib.request',
        '',
        'request = urllib.request.Request(',
        `    "${url}",`,
        `    headers={"Authorization": "Bearer ${key}"},`,
        ')',
        'with urllib.request.urlopen(request) as response:',
        '    print(json.load(response)["data"])',
      ].join('\n'),
    },
  ]
}

/** Request headers that the curl command repeats. The Authorization header is not one of them. */
const repeated = [
  ['if-none-match', 'If-None-Match'],
  ['idempotency-key', 'Idempotency-Key'],
  ['x-svc-max-credits', 'X-SVC-Max-Credits'],
] as const

/** Matches text without characters that are special to a shell inside double quotes. */
const harmless = /^[\w\-./?=&%,:~+ ]*$/

/** Quotes any text as a single shell argument. */
const quoted = (text: string): string => (harmless.test(text) ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`)

type Call = { readonly method: string; readonly target: string | null; readonly headers: Readonly<Record<string, string>> | null }

/** True if the text was truncated when it was stored, so the call can't be repeated. */
const isCut = (text: string): boolean => text.includes('…')

/** Returns the call as a curl command with a placeholder for the key, or null if parts of it were not stored. `baseUrl` ends with the version. */
export function getCurl({ method, target, headers }: Call, baseUrl: string): string | null {
  if (target === null || headers === null || isCut(target)) return null
  // Without --globoff, curl expands brackets and braces.
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
