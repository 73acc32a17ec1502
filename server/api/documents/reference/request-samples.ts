import type { Endpoint } from '#server/api/contract/endpoint.ts'

type Action = { readonly method: string; readonly exampleBody: object | null }

/** Call to write. `json` is the body, which contains no single quotes. Calls of the kinds `list` and `item` use GET and print the credits as well. */
type Call = { readonly url: string; readonly kind: 'list' | 'item' | 'action'; readonly method: string; readonly json: string | null }

type Template = (call: Call) => readonly (string | readonly string[])[]

const curl: Template = ({ url, kind, method, json }) => [
  kind === 'action' ? `curl -X ${method} "${url}" \\` : `curl "${url}" \\`,
  `  -H "Authorization: Bearer $SVC_API_KEY"${json === null ? '' : ' \\'}`,
  json === null ? [] : ['  -H "Content-Type: application/json" \\', `  -d '${json}'`],
]

const typescript: Template = ({ url, kind, method, json }) => [
  `const response = await fetch('${url}', {`,
  kind === 'action' ? `  method: '${method}',` : [],
  json === null
    ? `  headers: { Authorization: \`Bearer \${process.env.SVC_API_KEY}\` },`
    : `  headers: { Authorization: \`Bearer \${process.env.SVC_API_KEY}\`, 'Content-Type': 'application/json' },`,
  json === null ? [] : `  body: '${json}',`,
  '  signal: AbortSignal.timeout(10_000),',
  '})',
  `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
  kind === 'action' ? 'const { data } = await response.json()' : 'const { data, meta } = await response.json()',
  kind === 'list' ? 'for (const row of data) console.log(row)' : 'console.log(data)',
  kind === 'action' ? [] : `console.log(\`\${meta.creditsCharged} credits, \${meta.creditsBalance} left\`)`,
]

const python: Template = ({ url, kind, method, json }) => [
  'import json, os, urllib.request',
  '',
  'request = urllib.request.Request(',
  `    "${url}",`,
  kind === 'action'
    ? [
        `    method="${method}",`,
        ...(json === null ? [] : [`    data=b'${json}',`]),
        '    headers={',
        `        "Authorization": f"Bearer {os.environ['SVC_API_KEY']}",`,
        ...(json === null ? [] : ['        "Content-Type": "application/json",']),
        '    },',
      ]
    : `    headers={"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"},`,
  ')',
  'with urllib.request.urlopen(request, timeout=10) as response:',
  kind === 'action' ? '    print(json.load(response)["data"])' : '    body = json.load(response)',
  kind === 'list' ? ['for row in body["data"]:', '    print(row)'] : [],
  kind === 'item' ? 'print(body["data"])' : [],
  kind === 'action' ? [] : 'print(body["meta"]["creditsCharged"], "credits,", body["meta"]["creditsBalance"], "left")',
]

const php: Template = ({ url, kind, method, json }) => [
  '<?php',
  "$context = stream_context_create(['http' => [",
  kind === 'action' ? `    'method' => '${method}',` : [],
  json === null
    ? "    'header' => 'Authorization: Bearer ' . getenv('SVC_API_KEY'),"
    : ["    'header' => ['Authorization: Bearer ' . getenv('SVC_API_KEY'), 'Content-Type: application/json'],", `    'content' => '${json}',`],
  "    'timeout' => 10,",
  "    'ignore_errors' => true,",
  ']]);',
  `$body = file_get_contents('${url}', false, $context);`,
  '$result = json_decode($body, true, flags: JSON_THROW_ON_ERROR);',
  "if (isset($result['error'])) throw new RuntimeException(\"{$result['error']}: {$result['message']}\");",
  kind === 'list' ? "foreach ($result['data'] as $row) echo json_encode($row), PHP_EOL;" : "echo json_encode($result['data']), PHP_EOL;",
  kind === 'action' ? [] : "echo \"{$result['meta']['creditsCharged']} credits, {$result['meta']['creditsBalance']} left\", PHP_EOL;",
]

const go: Template = ({ url, kind, method, json }) => [
  'package main',
  '',
  'import (',
  ['encoding/json', 'fmt', 'log', 'net/http', 'os', ...(json === null ? [] : ['strings']), 'time'].map((name) => `\t"${name}"`),
  ')',
  '',
  'func main() {',
  `\trequest, err := http.NewRequest("${method}", "${url}", ${json === null ? 'nil' : `strings.NewReader(\`${json}\`)`})`,
  '\tif err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_API_KEY"))',
  json === null ? [] : '\trequest.Header.Set("Content-Type", "application/json")',
  '\tclient := http.Client{Timeout: 10 * time.Second}',
  '\tresponse, err := client.Do(request)',
  '\tif err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  '\tdefer response.Body.Close()',
  '\tif response.StatusCode != http.StatusOK {',
  '\t\tlog.Fatal(response.Status)',
  '\t}',
  kind === 'action'
    ? '\tvar body struct{ Data any }'
    : ['\tvar body struct {', `\t\tData ${kind === 'list' ? '[]map[string]any' : 'any'}`, '\t\tMeta struct{ CreditsCharged, CreditsBalance int }', '\t}'],
  '\tif err := json.NewDecoder(response.Body).Decode(&body); err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  kind === 'list' ? ['\tfor _, row := range body.Data {', '\t\tfmt.Println(row)', '\t}'] : '\tfmt.Println(body.Data)',
  kind === 'action' ? [] : '\tfmt.Println(body.Meta.CreditsCharged, "credits,", body.Meta.CreditsBalance, "left")',
  '}',
]

const toClassName = (method: string) => `${method.charAt(0)}${method.slice(1).toLowerCase()}`

const ruby: Template = ({ url, kind, method, json }) => [
  'require "json"',
  'require "net/http"',
  '',
  `uri = URI("${url}")`,
  `request = Net::HTTP::${toClassName(method)}.new(uri, "Authorization" => "Bearer #{ENV['SVC_API_KEY']}")`,
  json === null ? [] : ['request.content_type = "application/json"', `request.body = '${json}'`],
  'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: 10) { |http| http.request(request) }',
  'raise "#{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)',
  '',
  kind === 'action' ? 'puts JSON.parse(response.body)["data"]' : 'body = JSON.parse(response.body)',
  kind === 'list' ? 'body["data"].each { |row| puts row }' : [],
  kind === 'item' ? 'puts body["data"]' : [],
  kind === 'action' ? [] : `puts "#{body['meta']['creditsCharged']} credits, #{body['meta']['creditsBalance']} left"`,
]

const templates = [
  { language: 'sh', label: 'curl', template: curl },
  { language: 'ts', label: 'TypeScript', template: typescript },
  { language: 'python', label: 'Python', template: python },
  { language: 'php', label: 'PHP', template: php },
  { language: 'go', label: 'Go', template: go },
  { language: 'ruby', label: 'Ruby', template: ruby },
] as const

type FileTemplate = (url: string) => readonly string[]

const curlFile: FileTemplate = (url) => [`curl --compressed "${url}" \\`, '  -H "Authorization: Bearer $SVC_API_KEY"']

const typescriptFile: FileTemplate = (url) => [
  `const response = await fetch('${url}', {`,
  `  headers: { Authorization: \`Bearer \${process.env.SVC_API_KEY}\` },`,
  '  signal: AbortSignal.timeout(60_000),',
  '})',
  `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
  "const rows = (await response.text()).split('\\n').filter((line) => line !== '').map((line) => JSON.parse(line))",
  `console.log(\`\${rows.length} rows up to \${response.headers.get('X-SVC-Updated-Until')}\`)`,
]

const pythonFile: FileTemplate = (url) => [
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
const fileTemplates = [
  { language: 'sh', label: 'curl', template: curlFile },
  { language: 'ts', label: 'TypeScript', template: typescriptFile },
  { language: 'python', label: 'Python', template: pythonFile },
] as const

const write = (call: Call) => templates.map(({ template, ...sample }) => ({ ...sample, code: template(call).flat().join('\n') }))

/**
 * Returns the same GET call in several languages. All of them read the key from the environment variable SVC_API_KEY. Calls that return an envelope are in six
 * languages, downloads of files in three.
 */
export function requestSamples(url: string, kind: Endpoint<never>['kind']) {
  if (kind === 'file') return fileTemplates.map(({ template, ...sample }) => ({ ...sample, code: template(url).join('\n') }))
  return write({ url, kind: kind === 'item' ? 'item' : 'list', method: 'GET', json: null })
}

/** Returns the call of an action in six languages. */
export const actionSamples = ({ method, exampleBody }: Action, url: string) =>
  write({ url, kind: 'action', method, json: exampleBody === null ? null : JSON.stringify(exampleBody) })
