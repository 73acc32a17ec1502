type Action = { readonly method: string; readonly exampleBody: object | null }

/** Writes the call of an action. `json` is the body, which contains no single quotes; null if there is none. */
type Template = (method: string, url: string, json: string | null) => readonly string[]

const curl: Template = (method, url, json) => [
  `curl -X ${method} "${url}" \\`,
  `  -H "Authorization: Bearer $SVC_API_KEY"${json === null ? '' : ' \\'}`,
  ...(json === null ? [] : ['  -H "Content-Type: application/json" \\', `  -d '${json}'`]),
]

const typescript: Template = (method, url, json) => [
  `const response = await fetch('${url}', {`,
  `  method: '${method}',`,
  json === null
    ? `  headers: { Authorization: \`Bearer \${process.env.SVC_API_KEY}\` },`
    : `  headers: { Authorization: \`Bearer \${process.env.SVC_API_KEY}\`, 'Content-Type': 'application/json' },`,
  ...(json === null ? [] : [`  body: '${json}',`]),
  '  signal: AbortSignal.timeout(10_000),',
  '})',
  `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
  'const { data } = await response.json()',
  'console.log(data)',
]

const python: Template = (method, url, json) => [
  'import json, os, urllib.request',
  '',
  'request = urllib.request.Request(',
  `    "${url}",`,
  `    method="${method}",`,
  ...(json === null ? [] : [`    data=b'${json}',`]),
  '    headers={',
  `        "Authorization": f"Bearer {os.environ['SVC_API_KEY']}",`,
  ...(json === null ? [] : ['        "Content-Type": "application/json",']),
  '    },',
  ')',
  'with urllib.request.urlopen(request, timeout=10) as response:',
  '    print(json.load(response)["data"])',
]

const php: Template = (method, url, json) => [
  '<?php',
  "$context = stream_context_create(['http' => [",
  `    'method' => '${method}',`,
  ...(json === null
    ? ["    'header' => 'Authorization: Bearer ' . getenv('SVC_API_KEY'),"]
    : ["    'header' => ['Authorization: Bearer ' . getenv('SVC_API_KEY'), 'Content-Type: application/json'],", `    'content' => '${json}',`]),
  "    'timeout' => 10,",
  "    'ignore_errors' => true,",
  ']]);',
  `$body = file_get_contents('${url}', false, $context);`,
  '$answer = json_decode($body, true, flags: JSON_THROW_ON_ERROR);',
  "if (isset($answer['error'])) throw new RuntimeException(\"{$answer['error']}: {$answer['message']}\");",
  "echo json_encode($answer['data']), PHP_EOL;",
]

const go: Template = (method, url, json) => [
  'package main',
  '',
  'import (',
  ...['encoding/json', 'fmt', 'log', 'net/http', 'os', ...(json === null ? [] : ['strings']), 'time'].map((name) => `\t"${name}"`),
  ')',
  '',
  'func main() {',
  `\trequest, err := http.NewRequest("${method}", "${url}", ${json === null ? 'nil' : `strings.NewReader(\`${json}\`)`})`,
  '\tif err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_API_KEY"))',
  ...(json === null ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
  '\tclient := http.Client{Timeout: 10 * time.Second}',
  '\tresponse, err := client.Do(request)',
  '\tif err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  '\tdefer response.Body.Close()',
  '\tif response.StatusCode != http.StatusOK {',
  '\t\tlog.Fatal(response.Status)',
  '\t}',
  '\tvar answer struct{ Data any }',
  '\tif err := json.NewDecoder(response.Body).Decode(&answer); err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  '\tfmt.Println(answer.Data)',
  '}',
]

const toClassName = (method: string) => `${method.charAt(0)}${method.slice(1).toLowerCase()}`

const ruby: Template = (method, url, json) => [
  'require "json"',
  'require "net/http"',
  '',
  `uri = URI("${url}")`,
  `request = Net::HTTP::${toClassName(method)}.new(uri, "Authorization" => "Bearer #{ENV['SVC_API_KEY']}")`,
  ...(json === null ? [] : ['request.content_type = "application/json"', `request.body = '${json}'`]),
  'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: 10) { |http| http.request(request) }',
  'raise "#{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)',
  '',
  'puts JSON.parse(response.body)["data"]',
]

const templates = [
  { language: 'sh', label: 'curl', template: curl },
  { language: 'ts', label: 'TypeScript', template: typescript },
  { language: 'python', label: 'Python', template: python },
  { language: 'php', label: 'PHP', template: php },
  { language: 'go', label: 'Go', template: go },
  { language: 'ruby', label: 'Ruby', template: ruby },
] as const

/** Returns the call of an action in six languages. All of them read the key from the environment variable SVC_API_KEY. */
export function actionSamples({ method, exampleBody }: Action, url: string) {
  const json = exampleBody === null ? null : JSON.stringify(exampleBody)
  return templates.map(({ template, ...sample }) => ({ ...sample, code: template(method, url, json).join('\n') }))
}
