import { expect } from 'vitest'
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

/** Calls by HTTP, then by the tool, and compares what it cost and what is in the log. Gives both answers. */
export async function compare(stage: Stage, entry: Entry, target: string, caller: Caller) {
  const before = await stage.balance(caller.account)
  const http = await stage.send(entry.method, target, caller.key)
  const between = await stage.balance(caller.account)
  const tool = await callTool(stage, caller.key, entry.tool, argumentsOf(entry, target))
  const after = await stage.balance(caller.account)
  expect(tool.answer.status).toBe(200)
  expect(between - after).toBe(before - between)
  const rows = await logOf(stage, caller, 2)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toEqual(rows[1])
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
