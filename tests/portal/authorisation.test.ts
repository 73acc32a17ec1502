import { expect, test } from 'vitest'
import { z } from 'zod'
import { mostQuestions } from '#server/api/contract/portal-batch.ts'
import { portalRouter } from '#server/trpc/root.ts'
import { type Member, portalStage } from './support/portal-stage.ts'
import { dataOf, errorOf } from './support/visitor.ts'

/** Every procedure that there is: a new one is covered as soon as it stands in the router. */
const procedures = Object.entries(portalRouter._def.procedures).map(([name, procedure]) => ({
  name,
  kind: (procedure as unknown as { _def: { type: 'query' | 'mutation' } })._def.type,
}))

const stage = portalStage()

let asker: Promise<Member> | null = null
/** Somebody who is signed in, for what changes nothing of theirs. */
const someone = (): Promise<Member> => (asker ??= allowed(stage.member()))

/** Has webhooks switched on for a member, so that its calls are looked at beyond that. */
async function allowed(made: Promise<Member>): Promise<Member> {
  const member = await made
  await stage.sql('INSERT INTO webhook_account (account_id, is_on) VALUES ($1, true) ON CONFLICT DO NOTHING', [member.id])
  return member
}

/** What nobody has to be signed in for. */
const open = new Set(['session.current'])

const anEndpoint = {
  url: 'https://hooks.example.com/',
  description: '',
  types: ['rate.changed'],
  providers: [],
  accountTypes: [],
  minChangeBp: null,
}

/** An endpoint of webhooks of a member; everybody who is there by now may have some. */
async function endpointOf({ visitor }: Member): Promise<string> {
  await stage.sql('INSERT INTO webhook_account (account_id, is_on) SELECT id, true FROM account ON CONFLICT DO NOTHING')
  return dataOf(await visitor.call('webhooks.create', 'mutation', anEndpoint)).id
}

/** An input of the right shape for procedures that name a thing. `id` is the thing. */
const naming: Record<string, (id: string) => object> = {
  'keys.read': (id) => ({ id }),
  'keys.rotate': (id) => ({ id, overlapHours: 0 }),
  'keys.revoke': (id) => ({ id }),
  'session.end': (id) => ({ id }),
  'billing.topUp': (id) => ({ id }),
  'billing.paymentLinks': (id) => ({ id }),
  'requests.read': (id) => ({ id }),
  'webhooks.read': (id) => ({ id }),
  'webhooks.update': (id) => ({ id, ...anEndpoint }),
  'webhooks.rotate': (id) => ({ id }),
  'webhooks.pause': (id) => ({ id }),
  'webhooks.resume': (id) => ({ id }),
  'webhooks.delete': (id) => ({ id }),
  'webhooks.test': (id) => ({ id, type: null }),
  'webhooks.health': (id) => ({ id }),
  'webhooks.deliveries': (id) => ({ id, state: null, type: null, cursor: null }),
  'webhooks.delivery': (id) => ({ id }),
  'webhooks.redeliver': (id) => ({ id, delivery: 'dlv_0000000000000000' }),
  'webhooks.redeliverRange': (id) => ({ id, from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }),
  'webhooks.redeliverFailed': (id) => ({ id }),
}

/** A thing of a member, by the procedure or the room that keeps it, and the id of one that never was. */
const things: Record<string, { of: (member: Member) => Promise<string>; nobodys: string }> = {
  keys: {
    of: async ({ visitor }) =>
      dataOf(await visitor.call('keys.create', 'mutation', { mode: 'test', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })).id,
    nobodys: 'key_0000000000000000',
  },
  session: { of: async ({ visitor }) => dataOf(await visitor.call('session.list', 'query'))[0].id, nobodys: `ses_${'0'.repeat(24)}` },
  billing: {
    of: async ({ id }) => {
      const publicId = `top_${String(id).padStart(16, '0')}`
      await stage.sql(
        `INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits, state, paid_at, payment_intent_id)
         VALUES ($1, $2, $1, 'checkout', 'simulated', 500, 50, 'paid', now(), 'pi_' || $1)`,
        [publicId, id],
      )
      return publicId
    },
    nobodys: 'top_zzzzzzzzzzzzzzzz',
  },
  requests: {
    of: async ({ visitor }) => {
      const made = await visitor.call('keys.create', 'mutation', { mode: 'test', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })
      const answer = await fetch(`${stage.origin}/v1/ping`, { headers: { authorization: `Bearer ${dataOf(made).key}` } })
      return answer.headers.get('x-svc-request-id') ?? ''
    },
    nobodys: `req_${'0'.repeat(32)}`,
  },
  webhooks: { of: endpointOf, nobodys: 'whe_0000000000000000' },
  'webhooks.delivery': {
    of: async (member) => dataOf(await member.visitor.call('webhooks.test', 'mutation', { id: await endpointOf(member), type: null })).delivery,
    nobodys: 'dlv_0000000000000000',
  },
}

test.each(procedures)('$name answers nobody who is not signed in', async ({ name, kind }) => {
  const input = naming[name]?.('key_0000000000000000') ?? {}
  const answer = await stage.visitor().call(name, kind, input)
  if (open.has(name)) expect([answer.status, dataOf(answer)]).toEqual([200, null])
  else expect([answer.status, errorOf(answer).data.code]).toEqual([401, 'UNAUTHORIZED'])
})

test.each(procedures.filter(({ kind }) => kind === 'mutation'))('$name is taken from our own pages only', async ({ name }) => {
  const { visitor } = await someone()
  const input = naming[name]?.('key_0000000000000000') ?? {}
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'none' }]) {
    expect((await visitor.call(name, 'mutation', input, headers)).status).toBe(403)
  }
  const bare = await visitor.send(`/api/trpc/${name}`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
  })
  expect(bare.status).toBe(403)
  const silent = await visitor.send(`/api/trpc/${name}`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  expect(silent.status).toBe(403)
})

test('one request asks for so much and no more, so that nobody holds the connections of all', async () => {
  const visitor = (await someone()).visitor
  const ask = (count: number) => visitor.send(`/api/trpc/${Array.from({ length: count }, () => 'keys.list').join(',')}?batch=1&input=%7B%7D`)
  const fitting = await ask(mostQuestions)
  expect([fitting.status, ((await fitting.json()) as object[]).length]).toEqual([200, mostQuestions])
  const tooMany = await ask(mostQuestions + 1)
  expect([tooMany.status, JSON.stringify(await tooMany.json())]).toEqual([400, expect.stringContaining('BAD_REQUEST')])
})

test.each(Object.keys(naming))('%s knows things of others as little as things that never were', async (name) => {
  const [one, two] = [await stage.member(), await someone()]
  const { of, nobodys } = things[name] ?? things[name.split('.')[0] ?? ''] ?? { of: async () => '', nobodys: '' }
  const theirs = await of(one)
  const kind = procedures.find((procedure) => procedure.name === name)?.kind ?? 'query'
  const answers = [await two.visitor.call(name, kind, naming[name]?.(theirs)), await two.visitor.call(name, kind, naming[name]?.(nobodys))]
  // Whatever a room says about a thing that never was, it says about the things of others.
  expect(answers[0]).toEqual(answers[1])
  if (answers[0]?.status === 200) expect(dataOf(answers[0])).toBeNull()
  else expect(answers[0]?.status).toBe(404)
  expect((await one.visitor.open('/portal')).path).toBe('/portal')
})

test('every procedure whose input names a thing is in the table above', () => {
  const named = procedures.filter(({ name }) => {
    const { inputs } = (portalRouter._def.procedures as unknown as Record<string, { _def: { inputs: { shape?: object }[] } }>)[name]?._def ?? { inputs: [] }
    return inputs.some((input) => 'id' in (input.shape ?? {}))
  })
  expect(named.map(({ name }) => name).toSorted()).toEqual(Object.keys(naming).toSorted())
})

/** What is no id, by what makes it none. */
const noIds = {
  nul: 'key_00000000\x00000',
  'nul alone': '\x00',
  empty: '',
  long: `key_${'0'.repeat(5_000)}`,
  quote: "key_' OR 1=1 --",
  surrogate: 'key_\ud800',
}

test.each(Object.keys(naming).flatMap((name) => Object.entries(noIds).map(([kind, id]) => ({ name, kind, id }))))(
  '$name takes no id that is none: $kind',
  async ({ name, id }) => {
    const type = procedures.find((procedure) => procedure.name === name)?.kind ?? 'query'
    const answer = await (await someone()).visitor.call(name, type, naming[name]?.(id))
    // As of a thing that never was: nothing, or that there is none. A failure it is never.
    if (answer.status === 200) expect(dataOf(answer)).toBeNull()
    else expect([answer.status, errorOf(answer).data.error]).toEqual(answer.status === 404 ? [404, 'not_found'] : [400, 'invalid_request'])
  },
)

type Schema = { type?: string; enum?: unknown[]; const?: unknown; anyOf?: Schema[]; minimum?: number; items?: Schema; properties?: Record<string, Schema> }

/** The fields of a procedure's input. */
function fieldsOf(name: string): Record<string, Schema> {
  const { inputs } = (portalRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>)[name]?._def ?? { inputs: [] }
  return inputs[0] === undefined ? {} : ((z.toJSONSchema(inputs[0], { io: 'input' }) as Schema).properties ?? {})
}

/** Something that a field takes. */
function sound(schema: Schema): unknown {
  if (schema.anyOf) return schema.anyOf.some(({ type }) => type === 'null') ? null : sound(schema.anyOf[0] ?? {})
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  return { string: 'live', integer: schema.minimum ?? 0, number: 500, boolean: false, array: [] }[schema.type ?? ''] ?? null
}

const texts = procedures.flatMap(({ name, kind }) =>
  Object.entries(fieldsOf(name)).flatMap(([field, schema]) => (JSON.stringify(schema).includes('"string"') ? [{ name, kind, field, type: schema.type }] : [])),
)

test.each(texts)('$name takes no NUL in $field', async ({ name, kind, field, type }) => {
  const { visitor } = await someone()
  const others = Object.fromEntries(Object.entries(fieldsOf(name)).map(([other, schema]) => [other, sound(schema)]))
  const answer = await visitor.call(name, kind, { ...others, [field]: type === 'array' ? ['a\0b'] : 'a\0b' })
  expect([answer.status, errorOf(answer).data.error]).toEqual([400, 'invalid_request'])
})

test('a page of a thing whose id is none does not exist', async () => {
  const { visitor } = await someone()
  for (const path of ['/portal/keys/key_%00', '/portal/requests/req_%00', '/portal/keys/%F0%9F%98%80', '/portal/requests/x'])
    expect([path, (await visitor.open(path)).status]).toEqual([path, 404])
})

test('a failure says nothing about itself', async () => {
  const { visitor, id } = await stage.member()
  await stage.sql('ALTER TABLE usage_progress RENAME TO usage_progress_gone')
  const answer = await visitor.call('account.overview', 'query')
  await stage.sql('ALTER TABLE usage_progress_gone RENAME TO usage_progress')
  expect(answer.status).toBe(500)
  expect(JSON.stringify(answer.body)).not.toMatch(/usage_progress|relation|stack|server\//)
  expect(errorOf(answer).message).toBe('There is a problem with the service. Nothing was charged.')
  expect(id).toBeGreaterThan(0)
})
