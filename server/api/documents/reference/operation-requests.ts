import type { registry } from '#server/api/endpoints/registry.ts'

type Entry = (typeof registry)[number]

/** Example request in one language. */
export type RequestSample = { readonly language: 'sh' | 'ts' | 'python'; readonly label: string; readonly code: string }

type Values = Readonly<Record<string, string>>

/** Returns the path with its parameters filled in, and the query. */
export function getTarget(entry: Entry, values: Values): string {
  const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const query = new URLSearchParams(Object.entries(values).filter(([name]) => !entry.path.includes(`{${name}}`))).toString()
  return query === '' ? path : `${path}?${query}`
}

const curl = (url: string) => [`curl "${url}" \\`, '  -H "Authorization: Bearer $SVC_API_KEY"'].join('\n')

const typescript = (url: string, isList: boolean) =>
  [
    `const response = await fetch('${url}', {`,
    `  headers: { Authorization: \`Bearer \${process.env.SVC_API_KEY}\` },`,
    '  signal: AbortSignal.timeout(10_000),',
    '})',
    `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
    'const { data, meta } = await response.json()',
    isList ? 'for (const row of data) console.log(row)' : 'console.log(data)',
    `console.log(\`\${meta.creditsCharged} credits, \${meta.creditsBalance} left\`)`,
  ].join('\n')

const python = (url: string, isList: boolean) =>
  [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    headers={"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"},`,
    ')',
    'with urllib.request.urlopen(request, timeout=10) as response:',
    '    answer = json.load(response)',
    ...(isList ? ['for row in answer["data"]:', '    print(row)'] : ['print(answer["data"])']),
    'print(answer["meta"]["creditsCharged"], "credits,", answer["meta"]["creditsBalance"], "left")',
  ].join('\n')

/** Returns the same call in three languages. */
export function requestSamples(entry: Entry, values: Values, publicUrl: string): RequestSample[] {
  const url = `${publicUrl}/v1${getTarget(entry, values)}`
  const isList = entry.kind !== 'item'
  return [
    { language: 'sh', label: 'curl', code: curl(url) },
    { language: 'ts', label: 'TypeScript', code: typescript(url, isList) },
    { language: 'python', label: 'Python', code: python(url, isList) },
  ]
}
