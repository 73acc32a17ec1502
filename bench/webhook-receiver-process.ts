/** Minimal webhook receiver: /ok responds immediately, /hang never. Sends its port to its parent process. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.resume()
  if (request.url?.startsWith('/ok')) request.on('end', () => response.end())
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
