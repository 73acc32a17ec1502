/** Rival 1: node:http with a constant body and no processing. Its rate is the maximum that this machine can reach. */
import { createServer } from 'node:http'
import { listenAsRival, rivalBody } from './rival.ts'

const body = rivalBody()
const headers = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Cache-Control',
  'private, no-cache',
  'X-Content-Type-Options',
  'nosniff',
  'Content-Length',
  String(Buffer.byteLength(body)),
]

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
listenAsRival(server)
