/**
 * npm run bench:bulk-emails -- [--quick]
 * Sends an announcement to 100,000 accounts. Measures how long publishing and creating the emails take, the rate of the queue, and the rate
 * of sending to a local mail server, relative to a plain loop that sends the same emails with the same client. See bench/README.md.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { publishChange } from '#server/admin/changelog/changelog.ts'
import { notifyKeyHolders } from '#server/admin/publishing/availability.ts'
import { emailTemplates } from '#server/auth/auth-emails.ts'
import { makeMails } from '#server/email/bulk-emails.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { type MailSending, sendDueMails, sendMailings } from '#server/email/send-emails.ts'
import { type MailTransport, type OutgoingEmail, smtpTransport } from '#server/email/transport.ts'
import { keyHolders } from '#server/keys/keys.ts'
import { createLog } from '#server/observability/log.ts'
import { makeKeyHolders } from '../tests/admin/support/key-holding-accounts.ts'
import { openBenchDatabase, settle } from './database.ts'
import { median } from './figures.ts'

const isQuick = process.argv.includes('--quick')
const accounts = isQuick ? 10_000 : 100_000
const queued = accounts / 5
const sent = isQuick ? 500 : 3_000
const rounds = isQuick ? 1 : 3
const atOnce = 4
const wantedShare = 0.5
const wantedUrgentMs = 50

const from = 'Savings Rates API <no-reply@bench.test>'
const never = new AbortController().signal
const change = { kind: 'changed', title: 'A change', body: 'What it is about.\n\n- one thing\n- another', endpointIds: [] } as const

async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

/** Starts a mail server in a separate process. */
function startReceiver(): Promise<{ stop: () => void; url: string }> {
  const child = fork(fileURLToPath(new URL('smtp-receiver-process.ts', import.meta.url)))
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ stop: () => void child.kill(), url: `smtp://127.0.0.1:${port}` }))
    child.once('exit', (code) => reject(new Error(`The mail server exited with code ${code}.`)))
  })
}

/** Sends emails until the transport has received the given number. Returns emails a second. */
async function measureRate(pool: Pool, transport: MailTransport, wanted: number): Promise<number> {
  const stopping = new AbortController()
  let count = 0
  const send = async (emailMessage: OutgoingEmail) => {
    await transport.send(emailMessage)
    if (++count >= wanted) stopping.abort()
  }
  const sending: MailSending = {
    pool,
    transport: { ...transport, send },
    writers: emailTemplates({ pool }),
    publicUrl: 'https://api.bench.test',
    log: createLog('error'),
  }
  const took = await measureSeconds(() => sendMailings(sending, stopping.signal))
  return count / took
}

/** Measures the latency of a transactional email while bulk emails wait, in milliseconds. */
async function urgentMs(pool: Pool): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < 20; n++) {
    await enqueueEmail(pool, 'account-closed', `urgent-${n}@bench.test`, { at: new Date().toISOString() })
    const own = new AbortController()
    const transport: MailTransport = { send: async () => own.abort(), close: () => undefined }
    const sending = { pool, transport, writers: emailTemplates({ pool }), publicUrl: 'https://api.bench.test', log: createLog('error') }
    took.push((await measureSeconds(() => sendDueMails(sending, own.signal))) * 1_000)
  }
  return median(took) ?? 0
}

/** Sends the same emails with the same client and concurrency, without a queue. Returns emails a second. */
async function bareLoop(transport: MailTransport): Promise<number> {
  let left = sent
  const one = async () => {
    while (left-- > 0) {
      const n = left
      await transport.send({
        recipient: `bare${n}@bench.test`,
        messageId: `<${n}@bench.test>`,
        subject: change.title,
        text: change.body,
        html: `<p>${change.body}</p>`,
        beforeEnd: async () => undefined,
      })
    }
  }
  return sent / (await measureSeconds(() => Promise.all(Array.from({ length: atOnce }, one))))
}

async function measure(pool: Pool, url: string): Promise<{ share: number; urgent: number }> {
  await makeKeyHolders(pool, accounts, 'bench')
  await settle(pool)
  const publishing = await measureSeconds(() => publishChange(pool, change, notifyKeyHolders))
  console.log(`  publishing to ${accounts} accounts takes ${(publishing * 1_000).toFixed(0)} ms`)
  const making = await measureSeconds(() => makeMails(pool, keyHolders, never))
  console.log(`  emails are created in ${making.toFixed(1)} s, ${(accounts / making).toFixed(0)}/s`)
  const urgent = await urgentMs(pool)
  console.log(`  a transactional email passes the queue in ${urgent.toFixed(1)} ms meanwhile (target ${wantedUrgentMs})`)
  const nowhere: MailTransport = { send: async ({ beforeEnd }) => beforeEnd?.(), close: () => undefined }
  console.log(`  the queue processes ${(await measureRate(pool, nowhere, queued)).toFixed(0)}/s`)
  const shares: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const transport = smtpTransport(url, from)
    const [bare, worker] = [await bareLoop(transport), await measureRate(pool, transport, sent)]
    transport.close()
    console.log(`  bare ${bare.toFixed(0)}/s, worker ${worker.toFixed(0)}/s, ${(worker / bare).toFixed(2)}${round === 0 ? ' (warm-up)' : ''}`)
    if (round > 0) shares.push(worker / bare)
  }
  return { share: median(shares) ?? 0, urgent }
}

async function main(): Promise<void> {
  await using cleanUp = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-mailings-'))
  cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const database = await openBenchDatabase(join(scratch, 'mailings'))
  cleanUp.defer(() => database.stop())
  const { stop, url } = await startReceiver()
  cleanUp.defer(stop)
  const { share, urgent } = await measure(database.pool, url)
  console.log(`  the worker sends at ${share.toFixed(2)} of the rate of a plain loop (target ${wantedShare})`)
  if (share < wantedShare || urgent > wantedUrgentMs) throw new Error('Slower than the target.')
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
