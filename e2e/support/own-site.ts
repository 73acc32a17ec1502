import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const sources = join(import.meta.dirname, '../../client/src')

/** Page that uses the client as a browser module, and shows what it received. */
const page = `<!doctype html><html lang="en"><title>Savings</title><ul></ul><p role="status"></p><script type="module">
  import { SavingsRates, SavingsRatesError } from '/client/index.ts'
  const client = new SavingsRates({ apiKey: null, baseUrl: '/savings/v1', maxCredits: 3 })
  const rows = { type: 'easy-access', limit: 3, fields: ['provider', 'rate'] }
  const first = await client.ratesList(rows)
  for (const { provider, rate } of first.data) document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: provider + ' ' + rate }))
  const again = await client.ratesList(rows, { ifNoneMatch: first.etag })
  const aborted = await client.servicePing({}, { signal: AbortSignal.abort('aborted') }).catch((reason) => reason)
  const failed = await client.ratesList({ type: 'none' }).catch((error) => error instanceof SavingsRatesError && error.code)
  document.querySelector('p').textContent = first.creditsCharged + ' credits, then ' + again.creditsCharged + ' for the same rows; ' + aborted + '; ' + failed
</script></html>`

async function sendSource(name: string, response: ServerResponse): Promise<void> {
  response.setHeader('Content-Type', 'text/javascript').end(stripTypeScriptTypes(await readFile(join(sources, name), 'utf8')))
}

/** Forwards a call to the API with the key. */
async function forward(request: IncomingMessage, response: ServerResponse, api: string, key: string): Promise<void> {
  const given = ['if-none-match', 'idempotency-key', 'x-svc-max-credits'].flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const answer = await fetch(api + request.url?.slice('/savings'.length), { headers: { ...Object.fromEntries(given), Authorization: `Bearer ${key}` } })
  const kept = [...answer.headers].filter(([name]) => !/^(?:content-encoding|content-length|transfer-encoding|connection|keep-alive)$/.test(name))
  response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()))
}

/** Starts the site of a customer: a page that uses the client, and a proxy that adds the key. */
export async function startOwnSite(api: string, key: string): Promise<{ readonly origin: string; close: () => void }> {
  const server = createServer((request, response) => {
    const { url = '/' } = request
    if (url.startsWith('/savings/v1/')) void forward(request, response, api, key)
    else if (/^\/client\/[\w/-]+\.ts$/.test(url)) void sendSource(url.slice('/client/'.length), response)
    else response.setHeader('Content-Type', 'text/html').end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() }
}
