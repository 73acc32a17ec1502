/** A receiver of webhooks that does nothing: /ok answers at once, /hang never. It tells its port to whoever started it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.resume()
  if (request.url?.startsWith('/ok')) request.on('end', () => response.end())
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
