export type Snippet = { readonly label: string; readonly code: string }

const rates = '/rates?type=easy-access&limit=3'

/** Returns a call that a key with these scopes may make. */
const callFor = (scopes: readonly string[]): string => (scopes.includes('rates:read') ? rates : '/ping')

/** First call with a key in three languages. */
export const keySnippets = (baseUrl: string, { key, scopes }: { key: string; scopes: readonly string[] }): Snippet[] =>
  buildSnippets(`${baseUrl}${callFor(scopes)}`, key)

/** First call in three languages. `key` is a test key or a placeholder. */
export const firstCallSnippets = (baseUrl: string, key: string): Snippet[] => buildSnippets(`${baseUrl}${rates}`, key)

function buildSnippets(url: string, key: string): Snippet[] {
  return [
    { label: 'curl', code: `curl "${url}" \\\n  -H "Authorization: Bearer ${key}"` },
    {
      label: 'JavaScript',
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
