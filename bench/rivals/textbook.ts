/**
 * Rival 4: the textbook approach. One interactive Prisma transaction per request: find the key by its hash, check the balance, deduct the credits if there are
 * enough, and write the log row. It uses the project's own tables and Prisma client, and keeps the ledger consistent.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { openPool } from '#server/db/pool.ts'
import { newRequestId } from '#server/ids.ts'
import { listenAsRival, rivalBody } from './rival.ts'

const body = rivalBody()
const bytes = String(Buffer.byteLength(body))
const url = process.env['DATABASE_URL'] ?? ''
const credits = 10
const endpointNo = 3

/** Ten connections, like our own pool; more connections were no faster on two cores. Transactions may wait up to 30 s, so that none times out. */
const prisma = openPool({ url, max: 10, applicationName: 'bench-textbook', statementTimeoutMs: 30_000, onError: (error) => console.error(error) })
const transactionTimeouts = { maxWait: 30_000, timeout: 30_000 }

/** Returns a version-7 UUID with dashes, as Prisma requires. */
function requestId(): string {
  const id = newRequestId()
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-')
}

/** Returns the balance after the charge, or null if the key is unknown or its account has insufficient credits. */
function charge(key: string): Promise<bigint | null> {
  const hash = createHash('sha256').update(key).digest()
  return prisma.$transaction(async (tx) => {
    const found = await tx.apiKey.findUnique({
      where: { hash },
      select: { id: true, accountId: true, account: { select: { wallet: { select: { balance: true } } } } },
    })
    if (!found || (found.account.wallet?.balance ?? 0n) < credits) return null
    const { id: keyId, accountId } = found
    // The balance may have fallen since it was read. The update's condition keeps it from going below zero.
    const { count } = await tx.wallet.updateMany({ where: { accountId, balance: { gte: credits } }, data: { balance: { decrement: credits } } })
    if (count === 0) return null
    const { balance } = await tx.wallet.findUniqueOrThrow({ where: { accountId }, select: { balance: true } })
    const row = { id: requestId(), accountId, keyId, tx: 0n, balance, at: new Date(), credits, units: credits, endpoint: endpointNo, status: 200, error: 0 }
    await tx.requestLog.create({ data: row, select: { id: true } })
    return balance
  }, transactionTimeouts)
}

function send(response: ServerResponse, balance: bigint): void {
  response.writeHead(200, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Cache-Control',
    'private, no-cache',
    'X-SVC-Request-Id',
    `req_${randomBytes(16).toString('hex')}`,
    'X-SVC-Credits-Charged',
    String(credits),
    'X-SVC-Credits-Balance',
    String(balance),
    'Content-Length',
    bytes,
  ])
  response.end(body)
}

const server = createServer((request, response) => {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  charge(key).then(
    (balance) => {
      if (balance === null) response.writeHead(402, { 'Content-Length': 0 }).end()
      else send(response, balance)
    },
    (error: unknown) => {
      console.error(error)
      response.writeHead(500, { 'Content-Length': 0 }).end()
    },
  )
})
listenAsRival(server)
