import { expect } from 'vitest'
import type { ApiAnswer } from '../../support/accounts.ts'
import type { Caller, Fixture } from '../../v1/support/fixture.ts'
import { keyChanged } from '../../v1/support/operator.ts'
import type { Entry } from '../../v1/support/target.ts'
import { getArguments } from './arguments.ts'
import { callTool } from './ask.ts'

/** Returns the latest log rows of a key, without request-specific columns. */
export const getLog = (fixture: Fixture, caller: Caller, rows: number) =>
  fixture.sql(
    `SELECT r.endpoint, r.status, r.error, r.units, r.credits FROM request_log r JOIN api_key k ON k.id = r.key_id
     WHERE k.public_id = $1 ORDER BY r.at DESC, r.id DESC LIMIT $2`,
    [caller.keyId, rows],
  )

/** Ids (without prefix) of two equivalent requests, over HTTP and as a tool call. */
type Pair = { readonly http: string; readonly tool: string }

type Note = { readonly id: string; readonly target: string; readonly headers: object; readonly message: string | null }

/** Pairs of calls that have not been compared yet. */
const open = new WeakMap<Fixture, Pair[]>()

/** Maximum number of pairs waiting to be compared. With many more, the service would drop request parameters instead of storing them. */
const maxOpen = 20

const getId = ({ headers }: ApiAnswer) => headers.get('x-svc-request-id')?.replace('req_', '') ?? ''

/** Removes trailing zeros, because a query may contain 4.50 where the tool argument is the number 4.5. */
const amount = (text: string) => (/^\d+\.\d+$/.test(text) ? Number(text) : text)

/** Normalises request parameters, because query encodings and remaining wait times may differ. */
function normalise(note: Note | undefined) {
  const { pathname, searchParams } = new URL(note?.target ?? '', 'http://host')
  return {
    path: decodeURIComponent(pathname),
    query: [...searchParams].map(([name, value]) => [name, amount(value)]),
    headers: note?.headers,
    message: note?.message?.replace(/\d+ seconds/, '') ?? null,
  }
}

/** Waits until the request parameters are stored, compares each pair of calls made since the previous comparison, and returns the number of pairs. */
export async function compareNotes(fixture: Fixture): Promise<number> {
  const pairs = open.get(fixture) ?? []
  open.set(fixture, [])
  const ids = pairs.flatMap(({ http, tool }) => [http, tool])
  const read = () =>
    fixture.sql<Note>("SELECT replace(id::text, '-', '') AS id, target, headers, message FROM request_detail WHERE id = ANY($1::uuid[])", [ids])
  await expect.poll(async () => (await read()).length, { timeout: 10_000, interval: 50 }).toBe(ids.length)
  const notes = new Map((await read()).map((note) => [note.id, note]))
  for (const { http, tool } of pairs) {
    expect(normalise(notes.get(tool))).toEqual(normalise(notes.get(http)))
    expect(notes.get(tool)?.headers).toEqual(sent)
  }
  return pairs.length
}

/** Headers that affect a call or identify the caller, over both HTTP and MCP. */
const sent = { 'user-agent': 'compare/1.0', 'x-svc-max-credits': '1000' } as const

/** Makes a call over HTTP and then as a tool, and compares the charges and log rows. Returns both responses. */
export async function compare(fixture: Fixture, entry: Entry, target: string, caller: Caller) {
  const before = await fixture.balance(caller.account)
  const http = await fixture.send(entry.method, target, caller.key, sent)
  const between = await fixture.balance(caller.account)
  const tool = await callTool(fixture, caller.key, entry.tool, getArguments(entry, target), sent)
  const after = await fixture.balance(caller.account)
  expect(tool.answer.status).toBe(200)
  expect(between - after).toBe(before - between)
  const rows = await getLog(fixture, caller, 2)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toEqual(rows[1])
  const pairs = [...(open.get(fixture) ?? []), { http: getId(http), tool: getId(tool.answer) }]
  open.set(fixture, pairs)
  if (pairs.length >= maxOpen) await compareNotes(fixture)
  return { http, tool }
}

/** Creates an account with a live key and high limits, and a test key without the usual test-key limit. */
export async function openOwner(fixture: Fixture): Promise<{ owner: Caller; sample: Caller }> {
  const owner = await fixture.live({ plan: 'enterprise', credits: 100_000, perMinute: 100_000, perDay: 1_000_000 })
  const sample = await fixture.getKey(owner.account, { mode: 'test' })
  await fixture.sql('UPDATE key_meter m SET own_minute_limit = 100000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [sample.keyId])
  await keyChanged(fixture, sample.keyId)
  return { owner, sample }
}
