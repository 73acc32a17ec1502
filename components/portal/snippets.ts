export type Snippet = { readonly label: string; readonly code: string }

const query = '/rates?type=easy-access&limit=3'

/** The first call in three languages. `key` is a test key, or what stands for one. */
export function firstCallSnippets(baseUrl: string, key: string): Snippet[] {
  const url = `${baseUrl}${query}`
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
