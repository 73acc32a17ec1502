import type { Endpoint } from '#server/api/contract/endpoint.ts'
import { fileTemplates } from './file-samples.ts'

type Template = (url: string, isList: boolean) => readonly string[]

const curl: Template = (url) => [`curl "${url}" \\`, '  -H "Authorization: Bearer $SVC_API_KEY"']

const typescript: Template = (url, isList) => [
  `const response = await fetch('${url}', {`,
  `  headers: { Authorization: \`Bearer \${process.env.SVC_API_KEY}\` },`,
  '  signal: AbortSignal.timeout(10_000),',
  '})',
  `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
  'const { data, meta } = await response.json()',
  isList ? 'for (const row of data) console.log(row)' : 'console.log(data)',
  `console.log(\`\${meta.creditsCharged} credits, \${meta.creditsBalance} left\`)`,
]

const python: Template = (url, isList) => [
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
]

const php: Template = (url, isList) => [
  '<?php',
  "$context = stream_context_create(['http' => [",
  "    'header' => 'Authorization: Bearer ' . getenv('SVC_API_KEY'),",
  "    'timeout' => 10,",
  "    'ignore_errors' => true,",
  ']]);',
  `$body = file_get_contents('${url}', false, $context);`,
  '$answer = json_decode($body, true, flags: JSON_THROW_ON_ERROR);',
  "if (isset($answer['error'])) throw new RuntimeException(\"{$answer['error']}: {$answer['message']}\");",
  isList ? "foreach ($answer['data'] as $row) echo json_encode($row), PHP_EOL;" : "echo json_encode($answer['data']), PHP_EOL;",
  "echo \"{$answer['meta']['creditsCharged']} credits, {$answer['meta']['creditsBalance']} left\", PHP_EOL;",
]

const go: Template = (url, isList) => [
  'package main',
  '',
  'import (',
  ...['encoding/json', 'fmt', 'log', 'net/http', 'os', 'time'].map((name) => `\t"${name}"`),
  ')',
  '',
  'func main() {',
  `\trequest, err := http.NewRequest("GET", "${url}", nil)`,
  '\tif err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_API_KEY"))',
  '\tclient := http.Client{Timeout: 10 * time.Second}',
  '\tresponse, err := client.Do(request)',
  '\tif err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  '\tdefer response.Body.Close()',
  '\tif response.StatusCode != http.StatusOK {',
  '\t\tlog.Fatal(response.Status)',
  '\t}',
  '\tvar answer struct {',
  `\t\tData ${isList ? '[]map[string]any' : 'any'}`,
  '\t\tMeta struct{ CreditsCharged, CreditsBalance int }',
  '\t}',
  '\tif err := json.NewDecoder(response.Body).Decode(&answer); err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  ...(isList ? ['\tfor _, row := range answer.Data {', '\t\tfmt.Println(row)', '\t}'] : ['\tfmt.Println(answer.Data)']),
  '\tfmt.Println(answer.Meta.CreditsCharged, "credits,", answer.Meta.CreditsBalance, "left")',
  '}',
]

const ruby: Template = (url, isList) => [
  'require "json"',
  'require "net/http"',
  '',
  `uri = URI("${url}")`,
  `request = Net::HTTP::Get.new(uri, "Authorization" => "Bearer #{ENV['SVC_API_KEY']}")`,
  'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: 10) { |http| http.request(request) }',
  'raise "#{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)',
  '',
  'answer = JSON.parse(response.body)',
  isList ? 'answer["data"].each { |row| puts row }' : 'puts answer["data"]',
  `puts "#{answer['meta']['creditsCharged']} credits, #{answer['meta']['creditsBalance']} left"`,
]

const templates = [
  { language: 'sh', label: 'curl', template: curl },
  { language: 'ts', label: 'TypeScript', template: typescript },
  { language: 'python', label: 'Python', template: python },
  { language: 'php', label: 'PHP', template: php },
  { language: 'go', label: 'Go', template: go },
  { language: 'ruby', label: 'Ruby', template: ruby },
] as const

/**
 * Returns the same GET call in several languages. All of them read the key from the environment variable SVC_API_KEY. Calls that return an envelope are in six
 * languages, downloads of files in three.
 */
export function requestSamples(url: string, kind: Endpoint<never>['kind']) {
  if (kind === 'file') return fileTemplates.map(({ template, ...sample }) => ({ ...sample, code: template(url).join('\n') }))
  return templates.map(({ template, ...sample }) => ({ ...sample, code: template(url, kind !== 'item').join('\n') }))
}
