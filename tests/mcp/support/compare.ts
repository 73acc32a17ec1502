import { expect } from 'vitest'
import type { ApiAnswer } from '../../support/world.ts'
import { keyChanged } from '../../v1/support/operator.ts'
import type { Caller, Stage } from '../../v1/support/stage.ts'
import type { Entry } from '../../v1/support/target.ts'
import { argumentsOf } from './arguments.ts'
import { callTool } from './ask.ts'

/** The newest rows of a key in the log, without what tells one request from another. */
export const logOf = (stage: Stage, caller: Caller, rows: number) =>
  stage.sql(
    `SELECT r.endpoint, r.status, r.error, r.units, r.credits FROM request_log r JOIN api_key k ON k.id = r.key_id
     WHERE k.public_id = $1 ORDER BY r.at DESC, r.id DESC LIMIT $2`,
    [caller.keyId, rows],
  )

/** Two requests that asked for the same, by HTTP and by a tool: their ids without the prefix. */
type Pair = { readonly http: string; readonly tool: string }

type Note = { readonly id: string; readonly target: string; readonly headers: object; readonly message: string | null }

/** What was called and is not compared yet. */
const open = new WeakMap<Stage, Pair[]>()

/** So few that no more calls of an account wait than are noted of it at a time. */
const mostOpen = 20

const idOf = ({ headers }: ApiAnswer) => headers.get('x-svc-request-id')?.replace('req_', '') ?? ''

/** A query may say 4.50 where the argument of a tool is the number 4.5. */
const amount = (text: string) => (/^\d+\.\d+$/.test(text) ? Number(text) : text)

/** A note without what tells one request from another: a query says the same however it is encoded, and a wait may end a second later. */
function alike(note: Note | undefined) {
  const { pathname, searchParams } = new URL(note?.target ?? '', 'http://host')
  return {
    path: decodeURIComponent(pathname),
    query: [...searchParams].map(([name, value]) => [name, amount(value)]),
    headers: note?.headers,
    message: note?.message?.replace(/\d+ seconds/, '') ?? null,
  }
}

/** Compares what an owner is shown of each pair of requests since the last time, once it is written. Gives how many pairs there were. */
export async function compareNotes(stage: Stage): Promise<number> {
  const pairs = open.get(stage) ?? []
  open.set(stage, [])
  const ids = pairs.flatMap(({ http, tool }) => [http, tool])
  const read = () => stage.sql<Note>("SELECT replace(id::text, '-', '') AS id, target, headers, message FROM request_detail WHERE id = ANY($1::uuid[])", [ids])
  await expect.poll(async () => (await read()).length, { timeout: 10_000, interval: 50 }).toBe(ids.length)
  const notes = new Map((await read()).map((note) => [note.id, note]))
  for (const { http, tool } of pairs) {
    expect(alike(notes.get(tool))).toEqual(alike(notes.get(http)))
    expect(notes.get(tool)?.headers).toEqual(sent)
  }
  return pairs.length
}

/** Headers that change a call or say who calls, as callers may send them with either. */
const sent = { 'user-agent': 'compare/1.0', 'x-svc-max-credits': '1000' } as const

/** Calls by HTTP, then by the tool, and compares what it cost and what is in the log. Gives both answers. */
export async function compare(stage: Stage, entry: Entry, target: string, caller: Caller) {
  const before = await stage.balance(caller.account)
  const http = await stage.send(entry.method, target, caller.key, sent)
  const between = await stage.balance(caller.account)
  const tool = await callTool(stage, caller.key, entry.tool, argumentsOf(entry, target), sent)
  const after = await stage.balance(caller.account)
  expect(tool.answer.status).toBe(200)
  expect(between - after).toBe(before - between)
  const rows = await logOf(stage, caller, 2)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toEqual(rows[1])
  const pairs = [...(open.get(stage) ?? []), { http: idOf(http), tool: idOf(tool.answer) }]
  open.set(stage, pairs)
  if (pairs.length >= mostOpen) await compareNotes(stage)
  return { http, tool }
}

/** An owner with a live key and plenty of everything, and a test key of the same account without the limit of test keys. */
export async function openOwner(stage: Stage): Promise<{ owner: Caller; sample: Caller }> {
  const owner = await stage.live({ plan: 'enterprise', credits: 100_000, perMinute: 100_000, perDay: 1_000_000 })
  const sample = await stage.keyOf(owner.account, { mode: 'test' })
  await stage.sql('UPDATE key_meter m SET own_minute_limit = 100000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [sample.keyId])
  await keyChanged(stage, sample.keyId)
  return { owner, sample }
}
