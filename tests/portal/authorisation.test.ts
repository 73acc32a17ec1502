import { expect, test } from 'vitest'
import { z } from 'zod'
import { maxRequests } from '#server/api/contract/request-bounds.ts'
import { portalRouter } from '#server/trpc/root.ts'
import { alertInputs, createAlert } from './support/alert-cases.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, getError } from './support/visitor.ts'

/** All procedures of the router, so that new ones are covered automatically. */
const procedures = Object.entries(portalRouter._def.procedures).map(([name, procedure]) => ({
  name,
  kind: (procedure as unknown as { _def: { type: 'query' | 'mutation' } })._def.type,
}))

const fixture = portalFixture()

let asker: Promise<Member> | null = null
/** Returns a signed-in member that tests share for calls that change nothing. */
const someone = (): Promise<Member> => (asker ??= allowed(fixture.member()))

/** Enables webhooks for a member, so that their calls reach the actual checks. */
async function allowed(made: Promise<Member>): Promise<Member> {
  const member = await made
  await fixture.sql('INSERT INTO webhook_account (account_id, is_on) VALUES ($1, true) ON CONFLICT DO NOTHING', [member.id])
  return member
}

/** Procedures that don't need a session, with the status of a call without input and cookies. */
const open = new Map([
  ['session.current', 200],
  ['passwordReset.request', 400],
  ['passwordReset.complete', 400],
  ['signUp.create', 400],
  ['signUp.resend', 200],
  ['signUp.replaceLink', 400],
])

const anEndpoint = {
  url: 'https://hooks.example.com/',
  description: '',
  types: ['rate.changed'],
  providers: '',
  accountTypes: [],
  minChange: '',
}

/** Creates a webhook endpoint for a member. Enables webhooks for all existing accounts. */
async function createEndpoint({ visitor }: Member): Promise<string> {
  await fixture.sql('INSERT INTO webhook_account (account_id, is_on) SELECT id, true FROM account ON CONFLICT DO NOTHING')
  return getData(await visitor.call('webhooks.create', 'mutation', anEndpoint)).id
}

/** Valid inputs of procedures that take an id. */
const inputsById: Record<string, (id: string) => object> = {
  ...alertInputs,
  'keys.read': (id) => ({ id }),
  'keys.update': (id) => ({ id, name: 'B', scopes: ['rates:read'], expires: '' }),
  'keys.rotate': (id) => ({ id, overlapHours: 0 }),
  'keys.revoke': (id) => ({ id }),
  'session.end': (id) => ({ id }),
  'billing.topUp': (id) => ({ id }),
  'billing.paymentLinks': (id) => ({ id }),
  'requests.read': (id) => ({ id }),
  'team.resend': (id) => ({ id }),
  'team.revoke': (id) => ({ id }),
  'support.read': (id) => ({ id }),
  'support.reply': (id) => ({ id, text: 'Hello' }),
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
  'webhooks.redeliverRange': (id) => ({ id, from: '2026-11-01T00:00', to: '2026-11-02T00:00' }),
  'webhooks.redeliverFailed': (id) => ({ id }),
}

/** For each procedure or router, a function that creates an entity for a member, and an unknown id of the same kind. */
const things: Record<string, { create: (member: Member) => Promise<string>; unknownId: string }> = {
  alerts: { create: createAlert, unknownId: 'alr_0000000000000000' },
  keys: {
    create: async ({ visitor }) =>
      getData(await visitor.call('keys.create', 'mutation', { mode: 'test', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })).id,
    unknownId: 'key_0000000000000000',
  },
  session: { create: async ({ visitor }) => getData(await visitor.call('session.list', 'query'))[0].id, unknownId: `ses_${'0'.repeat(24)}` },
  billing: {
    create: async ({ id }) => {
      const publicId = `top_${String(id).padStart(16, '0')}`
      await fixture.sql(
        `INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits, state, paid_at, payment_intent_id)
         VALUES ($1, $2, $1, 'checkout', 'simulated', 500, 50, 'paid', now(), 'pi_' || $1)`,
        [publicId, id],
      )
      return publicId
    },
    unknownId: 'top_zzzzzzzzzzzzzzzz',
  },
  requests: {
    create: async ({ visitor }) => {
      const made = await visitor.call('keys.create', 'mutation', { mode: 'test', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })
      const answer = await fetch(`${fixture.origin}/v1/ping`, { headers: { authorization: `Bearer ${getData(made).key}` } })
      return answer.headers.get('x-svc-request-id') ?? ''
    },
    unknownId: `req_${'0'.repeat(32)}`,
  },
  support: {
    create: async ({ visitor }) => getData(await visitor.call('support.open', 'mutation', { topic: 'other', text: 'Hello' })).id,
    unknownId: 'tic_0000000000000000',
  },
  team: {
    create: async ({ visitor }) => {
      await visitor.call('team.invite', 'mutation', { email: fixture.newEmail(), role: 'developer' })
      return getData(await visitor.call('team.read', 'query')).invitations[0].id
    },
    unknownId: 'inv_0000000000000000',
  },
  webhooks: { create: createEndpoint, unknownId: 'whe_0000000000000000' },
  'webhooks.delivery': {
    create: async (member) => getData(await member.visitor.call('webhooks.test', 'mutation', { id: await createEndpoint(member), type: null })).delivery,
    unknownId: 'dlv_0000000000000000',
  },
}

test.each(procedures)('$name rejects requests without a session', async ({ name, kind }) => {
  const input = inputsById[name]?.('key_0000000000000000') ?? {}
  const answer = await fixture.visitor().call(name, kind, input)
  if (name === 'session.current') expect(getData(answer)).toBeNull()
  if (open.has(name)) expect(answer.status).toBe(open.get(name))
  else expect([answer.status, getError(answer).data.code]).toEqual([401, 'UNAUTHORIZED'])
})

test.each(procedures.filter(({ kind }) => kind === 'mutation'))('$name only accepts requests from our own pages', async ({ name }) => {
  const { visitor } = await someone()
  const input = inputsById[name]?.('key_0000000000000000') ?? {}
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

test('limits the number of procedures in a batch request', async () => {
  const visitor = (await someone()).visitor
  const ask = (count: number) => visitor.send(`/api/trpc/${Array.from({ length: count }, () => 'keys.list').join(',')}?batch=1&input=%7B%7D`)
  const fitting = await ask(maxRequests)
  expect([fitting.status, ((await fitting.json()) as object[]).length]).toEqual([200, maxRequests])
  const tooMany = await ask(maxRequests + 1)
  expect([tooMany.status, JSON.stringify(await tooMany.json())]).toEqual([400, expect.stringContaining('BAD_REQUEST')])
})

test.each(Object.keys(inputsById))("%s returns the same response for another account's id as for an unknown id", async (name) => {
  const [one, two] = [await fixture.member(), await someone()]
  const { create, unknownId } = things[name] ?? things[name.split('.')[0] ?? ''] ?? { create: async () => '', unknownId: '' }
  const theirs = await create(one)
  const kind = procedures.find((procedure) => procedure.name === name)?.kind ?? 'query'
  const answers = [await two.visitor.call(name, kind, inputsById[name]?.(theirs)), await two.visitor.call(name, kind, inputsById[name]?.(unknownId))]
  // The response must not reveal that the id exists.
  expect(answers[0]).toEqual(answers[1])
  if (answers[0]?.status === 200) expect(getData(answers[0])).toBeNull()
  else expect(answers[0]?.status).toBe(404)
  expect((await one.visitor.open('/portal')).path).toBe('/portal')
})

test('inputsById lists every procedure that takes an id', () => {
  const named = procedures.filter(({ name }) => {
    const { inputs } = (portalRouter._def.procedures as unknown as Record<string, { _def: { inputs: { shape?: object }[] } }>)[name]?._def ?? { inputs: [] }
    return inputs.some((input) => 'id' in (input.shape ?? {}))
  })
  expect(named.map(({ name }) => name).toSorted()).toEqual(Object.keys(inputsById).toSorted())
})

const malformedIds = {
  nul: 'key_00000000\x00000',
  'only NUL': '\x00',
  empty: '',
  long: `key_${'0'.repeat(5_000)}`,
  quote: "key_' OR 1=1 --",
  surrogate: 'key_\ud800',
}

test.each(Object.keys(inputsById).flatMap((name) => Object.entries(malformedIds).map(([kind, id]) => ({ name, kind, id }))))(
  '$name rejects a malformed id: $kind',
  async ({ name, id }) => {
    const type = procedures.find((procedure) => procedure.name === name)?.kind ?? 'query'
    const answer = await (await someone()).visitor.call(name, type, inputsById[name]?.(id))
    // The response is the same as for an unknown id, never a 500.
    if (answer.status === 200) expect(getData(answer)).toBeNull()
    else expect([answer.status, getError(answer).data.error]).toEqual(answer.status === 404 ? [404, 'not_found'] : [400, 'invalid_request'])
  },
)

type Schema = { type?: string; enum?: unknown[]; const?: unknown; anyOf?: Schema[]; minimum?: number; items?: Schema; properties?: Record<string, Schema> }

/** Returns the JSON Schema of a procedure's input fields. */
function getFields(name: string): Record<string, Schema> {
  const { inputs } = (portalRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>)[name]?._def ?? { inputs: [] }
  return inputs[0] === undefined ? {} : ((z.toJSONSchema(inputs[0], { io: 'input' }) as Schema).properties ?? {})
}

function validValue(schema: Schema): unknown {
  if (schema.anyOf) return schema.anyOf.some(({ type }) => type === 'null') ? null : validValue(schema.anyOf[0] ?? {})
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  return { string: 'live', integer: schema.minimum ?? 0, number: 500, boolean: false, array: [] }[schema.type ?? ''] ?? null
}

const texts = procedures.flatMap(({ name, kind }) =>
  Object.entries(getFields(name)).flatMap(([field, schema]) => (JSON.stringify(schema).includes('"string"') ? [{ name, kind, field, type: schema.type }] : [])),
)

test.each(texts)('$name rejects NUL characters in $field', async ({ name, kind, field, type }) => {
  const { visitor } = await someone()
  const others = Object.fromEntries(Object.entries(getFields(name)).map(([other, schema]) => [other, validValue(schema)]))
  const answer = await visitor.call(name, kind, { ...others, [field]: type === 'array' ? ['a\0b'] : 'a\0b' })
  expect([answer.status, getError(answer).data.error]).toEqual([400, 'invalid_request'])
})

test('returns 404 for pages with a malformed id', async () => {
  const { visitor } = await someone()
  for (const path of ['/portal/keys/key_%00', '/portal/requests/req_%00', '/portal/keys/%F0%9F%98%80', '/portal/requests/x'])
    expect([path, (await visitor.open(path)).status]).toEqual([path, 404])
})

test('hides the cause of an internal error', async () => {
  const { visitor, id } = await fixture.member()
  await fixture.sql('ALTER TABLE usage_progress RENAME TO usage_progress_gone')
  const answer = await visitor.call('account.overview', 'query')
  await fixture.sql('ALTER TABLE usage_progress_gone RENAME TO usage_progress')
  expect(answer.status).toBe(500)
  expect(JSON.stringify(answer.body)).not.toMatch(/usage_progress|relation|stack|server\//)
  expect(getError(answer).message).toBe('There is a problem with the service. Nothing was charged.')
  expect(id).toBeGreaterThan(0)
})
