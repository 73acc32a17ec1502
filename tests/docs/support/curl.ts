/** Request made by a curl command in the documentation. */
export type CurlCall = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly etagSave: string | undefined
  readonly etagCompare: string | undefined
}

/** Splits a command into words like a shell: removes quotes, and expands `$NAME` within double quotes. */
function shellWords(command: string, variables: Readonly<Record<string, string>>): string[] {
  const text = command.replace(/\\\n\s*/g, ' ').trim()
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  const expand = (part: string) =>
    part.replace(/\$(\w+)/g, (_, name: string) => {
      const value = variables[name]
      if (value === undefined) throw new Error(`Undocumented variable in the documentation: $${name}`)
      return value
    })
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'|([^"']+)/g, (_, double?: string, single?: string, bare?: string) =>
      double === undefined ? (single ?? bare ?? '') : expand(double),
    ),
  )
}

/** Options used in the documentation that take a value. */
const valued = ['-X', '-H', '-d', '--etag-save', '--etag-compare']

/** Options that take no value and change only what curl prints, or the content encoding, which `fetch` always negotiates. */
const unvalued = ['-i', '-s', '--compressed']

/** Option that sends the values of `-d` as query parameters. */
const asQuery = '-G'

/** Returns the options and URLs of a command, in order. */
function getParts(words: readonly string[], command: string): { options: [name: string, value: string][]; urls: string[] } {
  const options: [string, string][] = []
  const urls: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (valued.includes(word)) options.push([word, words[++at] ?? ''])
    else if (!word.startsWith('-')) urls.push(word)
    else if (word === asQuery) options.push([word, ''])
    else if (!unvalued.includes(word)) throw new Error(`Unknown curl option ${word}: ${command}`)
  }
  return { options, urls }
}

/** Parses a curl command. @throws Error for anything unknown, so that no part of a command is silently ignored. */
export function readCurl(command: string, variables: Readonly<Record<string, string>>): CurlCall {
  const [program, ...words] = shellWords(command, variables)
  if (program !== 'curl') throw new Error(`Not a curl command: ${command}`)
  const { options, urls } = getParts(words, command)
  const [url] = urls
  if (url === undefined || urls.length > 1) throw new Error(`Expected one URL: ${command}`)
  const one = (wanted: string) => options.find(([name]) => name === wanted)?.[1]
  const headers = options
    .filter(([name]) => name === '-H')
    .map(([, text]) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 1).trim()])
  const isQuery = one(asQuery) !== undefined
  const fields = options.filter(([name]) => name === '-d').map(([, text]) => text)
  const body = isQuery ? undefined : fields[0]
  return {
    url: isQuery ? `${url}?${fields.join('&')}` : url,
    method: one('-X') ?? (body === undefined ? 'GET' : 'POST'),
    headers: Object.fromEntries(headers),
    body,
    etagSave: one('--etag-save'),
    etagCompare: one('--etag-compare'),
  }
}

/** Makes the call. `tags` replaces the files in which curl stores ETags. */
export async function runCurl(call: CurlCall, tags: Map<string, string>): Promise<Response> {
  // Default content type of `-d`.
  const headers: Record<string, string> = { ...(call.body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }), ...call.headers }
  if (call.etagCompare !== undefined) headers['if-none-match'] = tags.get(call.etagCompare) ?? ''
  const response = await fetch(call.url, { method: call.method, headers, body: call.body ?? null, redirect: 'manual' })
  if (call.etagSave !== undefined) tags.set(call.etagSave, response.headers.get('etag') ?? '')
  return response
}
