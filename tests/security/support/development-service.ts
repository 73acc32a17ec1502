import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { openAccount } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { outboxLink } from '#server/self-service/outbox.ts'
import { authSecret } from '../../support/service-process.ts'

/** Sends a request with exactly these headers. `fetch` does not allow Host or Sec-Fetch-Site. */
export function send(
  port: number,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  body = '',
): Promise<{ status: number; text: string; location: string; cookie: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { host: `localhost:${port}`, ...headers } }, (answer) => {
      const { location = '', 'set-cookie': [cookie = ''] = [] } = answer.headers
      text(answer).then((read) => resolve({ status: answer.statusCode ?? 0, text: read, location, cookie }), reject)
    })
    sent.on('error', reject).end(body)
  })
}

let checkouts = 0

/** Creates an open top-up for a new account, with a simulated checkout page. Returns the id of the top-up. */
export async function openCheckout(pool: Database): Promise<string> {
  const id = `top_${process.pid}_${++checkouts}`
  const request = { email: `${id}@example.test`, password: null, plan: 'hobby' as const, isAdmin: false, isApproved: true, isVerified: true }
  const account = await openAccount(pool, request, { kind: 'adjustment', credits: 0 })
  await pool.query(
    `INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits, checkout_session_id, checkout_url, expires_at)
     VALUES ($1, $2, $1, 'checkout', 'simulated', 500, 50, 'cs_' || $1, 'http://localhost/', now() + interval '1 hour')`,
    [id, account.id],
  )
  return id
}

/** Path of the link to the emails, as printed at start-up. */
export const emailLink = outboxLink('', authSecret)

/** Opens the printed link in a browser, as a developer does. Returns the headers for later requests from that browser. */
export async function emailAccess(port: number): Promise<{ cookie: string }> {
  const opened = await send(port, emailLink, {})
  expect([opened.status, opened.location]).toEqual([303, '/dev/mail'])
  expect(opened.cookie).toMatch(/^svc\.outbox=[^;]+;.*HttpOnly/i)
  return { cookie: opened.cookie.split(';')[0] ?? '' }
}
