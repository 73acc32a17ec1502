type Template = (url: string) => readonly string[]

const curl: Template = (url) => [`curl --compressed "${url}" \\`, '  -H "Authorization: Bearer $SVC_API_KEY"']

const typescript: Template = (url) => [
  `const response = await fetch('${url}', {`,
  `  headers: { Authorization: \`Bearer \${process.env.SVC_API_KEY}\` },`,
  '  signal: AbortSignal.timeout(60_000),',
  '})',
  `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
  "const rows = (await response.text()).split('\\n').filter((line) => line !== '').map((line) => JSON.parse(line))",
  `console.log(\`\${rows.length} rows up to \${response.headers.get('X-SVC-Updated-Until')}\`)`,
]

const python: Template = (url) => [
  'import json, os, urllib.request',
  '',
  'request = urllib.request.Request(',
  `    "${url}",`,
  `    headers={"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"},`,
  ')',
  'with urllib.request.urlopen(request, timeout=60) as response:',
  '    rows = [json.loads(line) for line in response]',
  'print(len(rows), "rows up to", response.headers["X-SVC-Updated-Until"])',
]

/** Samples that read a file line by line, by language. */
export const fileTemplates = [
  { language: 'sh', label: 'curl', template: curl },
  { language: 'ts', label: 'TypeScript', template: typescript },
  { language: 'python', label: 'Python', template: python },
] as const
