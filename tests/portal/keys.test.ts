import { expect, test } from 'vitest'
import { approveAccount } from '#server/accounts/accounts.ts'
import { createKey as makeAnyKey } from '#server/keys/keys.ts'
import { verifies } from '../requirements/verifies.ts'
import { addTestKeys, callsAt, createKey, keyOn, listKeys } from './support/key-calls.ts'
import { goodPassword } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

const { rates, getStatus, errorFor } = callsAt(fixture)

verifies(['keys/created-in-portal', 'keys/shown-once'], async () => {
  const { visitor } = await fixture.member()
  const page = await visitor.submitForm(await visitor.open('/portal/keys/new'), 'Create test key', {
    mode: 'live',
    name: 'Price page',
    scopes: ['rates:read', 'providers:read'],
  })
  const key = keyOn(page)
  expect(key).toMatch(/^svc_live_/)
  expect(await getStatus(key)).toBe(200)
  const [made] = await listKeys(visitor)
  expect(made).toMatchObject({
    name: 'Price page',
    mode: 'live',
    scopes: ['rates:read', 'providers:read'],
    state: 'active',
    hint: `svc_live_…${key.slice(-4)}`,
  })
  for (const path of ['/portal', '/portal/keys', `/portal/keys/${made.id}`, '/portal/settings', '/portal/settings/account'])
    expect((await visitor.open(path)).html).not.toContain(key)
  const dump = await fixture.sql<{ row: string }>('SELECT row_to_json(k)::text AS row FROM api_key k UNION ALL SELECT row_to_json(e)::text FROM audit_entry e')
  expect(dump.map(({ row }) => row).join()).not.toContain(key)
})

verifies(['keys/live-needs-verified-email', 'keys/test-needs-verified-email', 'errors/email-not-verified'], async () => {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(visitor, email)
  expect((await fixture.signIn(visitor, email)).text).toContain('Confirm your email')
  const live = await createKey(visitor)
  expect(live.status).toBe(403)
  expect(getError(live).data).toMatchObject({ error: 'email_not_verified' })
  expect((await visitor.open('/portal/keys/new')).text).toContain('Confirm your email before creating a key.')
  expect((await createKey(visitor, { mode: 'test' })).status).toBe(403)
  expect(await fixture.sql('SELECT k.id FROM api_key k JOIN account a ON a.id = k.account_id WHERE a.email = $1', [email])).toEqual([])
  await fixture.confirm(visitor, email)
  expect((await createKey(visitor)).status).toBe(200)
  expect(await getStatus(getData(await createKey(visitor, { mode: 'test' })).key)).toBe(200)
})

verifies(['portal/live-key-before-approval', 'account/review-notification'], async () => {
  const { visitor, email } = await fixture.newcomer()
  const notice = "We're reviewing your account. Test keys work now. Live keys will work once your account is approved. We'll email you when it is."
  expect((await visitor.open('/portal')).text).toContain(notice)
  expect((await visitor.open('/portal/keys')).text).toContain(notice)
  expect((await visitor.open('/portal/keys/new')).text).toContain('This key will work once your account is approved')
  const { key, id } = getData(await createKey(visitor))
  expect((await visitor.open(`/portal/keys/${id}`)).text).toContain(notice)
  expect(await errorFor(key)).toBe('account_blocked')
  const refusal = (await (await rates(key)).json()) as { message: string }
  expect(refusal.message).toBe('Your account is in review. Live keys work once it is approved; we will email you. Test keys work now.')
  await approveAccount(fixture.pool, email)
  expect(await getStatus(key)).toBe(200)
  const mail = await fixture.mailbox.next(email, 2)
  expect(mail.subject).toBe('Your account is approved')
  // A second approval changes nothing and sends no email.
  await approveAccount(fixture.pool, email)
  expect(await fixture.sql("SELECT 1 FROM email WHERE recipient = $1 AND kind = 'account-approved'", [email])).toHaveLength(1)
})

verifies('keys/revoked-in-portal', async () => {
  const { visitor } = await fixture.member()
  const { key, id } = getData(await createKey(visitor, { name: 'Batch' }))
  expect(await getStatus(key)).toBe(200)
  const page = await visitor.open(`/portal/keys/${id}`)
  expect(page.text).toContain("Once you revoke this key, calls with it fail immediately. You can't undo this.")
  expect((await visitor.call('keys.revoke', 'mutation', { id })).status).toBe(200)
  const done = await visitor.open(`/portal/keys?revoked=${id}`)
  expect(done.text).toContain('Revoked Batch. Calls with it return 403.')
  expect(done.html).toMatch(/<details id="ended"[^>]* open=""/)
  expect([await getStatus(key), await errorFor(key)]).toEqual([403, 'key_revoked'])
  expect((await visitor.open(`/portal/keys/${id}`)).text).toContain('Revoked')
})

test('creates no key while the account is being closed', async () => {
  const { visitor, email, id } = await fixture.member()
  const waiters = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  const waitFor = (n: number) => expect.poll(async () => (await fixture.sql<{ n: number }>(waiters))[0]?.n, { timeout: 10_000 }).toBeGreaterThanOrEqual(n)
  const holder = await fixture.pool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT FROM wallet WHERE account_id = $1 FOR UPDATE', [id])
    const closing = visitor.call('security.closeAccount', 'mutation', { email, currentPassword: goodPassword })
    await waitFor(1)
    const making = createKey(visitor)
    await waitFor(2)
    await holder.query('COMMIT')
    const [closed, made] = await Promise.all([closing, making])
    expect(closed.status).toBe(200)
    expect([made.status, getError(made)?.data.error]).toEqual([403, 'account_blocked'])
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
  for (const mode of ['test', 'live'] as const) {
    const { key } = await makeAnyKey(fixture.pool, { accountId: id, mode, scopes: ['rates:read'] })
    expect(await errorFor(key)).toBe('account_blocked')
  }
})

test('shows the time and IP address of the last use within seconds', async () => {
  const { visitor } = await fixture.member()
  const { key, id } = getData(await createKey(visitor))
  expect((await visitor.open(`/portal/keys/${id}`)).text).toContain('Never used.')
  await rates(key)
  await expect.poll(async () => (await visitor.open(`/portal/keys/${id}`)).text, { timeout: 10_000 }).toContain('Used just now from 127.0.0.1.')
})

test('reports form errors, with line numbers for IP addresses', async () => {
  const { visitor } = await fixture.member()
  const page = await visitor.submitForm(await visitor.open('/portal/keys/new'), 'Create test key', {
    mode: 'live',
    name: '',
    scopes: [],
    addresses: '10.0.0.1\n\nnonsense\n10.0.0.0/8\n10.0.0.256\nmore',
    cap: '1.5',
    expires: '2020-01-01',
  })
  for (const message of [
    'Enter a name for this key.',
    'Choose at least one permission.',
    'Lines 3, 5 and 6 are not IP addresses or ranges.',
    'Monthly cap must be a whole number of credits.',
    'The expiry date must be in the future.',
  ]) {
    expect(page.text).toContain(message)
  }
  expect((await visitor.submitForm(page, 'Create test key', { mode: 'live', addresses: 'nonsense' })).text).toContain('Line 1 is not an IP address or range.')
})

test("returns 404 for another account's keys, as for unknown ones", async () => {
  const [one, two] = [await fixture.member(), await fixture.member()]
  const { id } = getData(await createKey(one.visitor))
  for (const [procedure, kind, more] of [
    ['keys.read', 'query', {}],
    ['keys.rotate', 'mutation', { overlapHours: 0 }],
    ['keys.revoke', 'mutation', {}],
  ] as const) {
    const [theirs, unknown] = [
      await two.visitor.call(procedure, kind, { id, ...more }),
      await two.visitor.call(procedure, kind, { id: 'key_0000000000000000', ...more }),
    ]
    expect(theirs.status).toBe(404)
    expect(theirs).toEqual(unknown)
  }
  const page = await two.visitor.open(`/portal/keys/${id}`)
  // The message is in the HTML, so it is shown without JavaScript.
  expect([page.status, page.html.includes('<title>Page not found'), page.text.includes('Page not found Go to the overview')]).toEqual([404, true, true])
  expect((await listKeys(one.visitor))[0]).toMatchObject({ id, state: 'active' })
})

test('limits the number of working keys per account', async () => {
  const { visitor, id } = await fixture.member()
  await addTestKeys(fixture, id, 49, 'filler')
  const answers = await Promise.all(Array.from({ length: 5 }, () => createKey(visitor, { mode: 'test' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
  expect((await createKey(visitor, { mode: 'test' })).body).toMatchObject({
    error: { json: { data: { fields: { form: expect.stringContaining('50 active keys') } } } },
  })
})

test("doesn't count revoked keys as working after the database clock was set back", async () => {
  const { visitor, id } = await fixture.member()
  await addTestKeys(fixture, id, 60, 'late', 3)
  const made = getData(await createKey(visitor, { mode: 'test' }))
  const [working, ...ended] = await listKeys(visitor)
  expect([working.id, working.state]).toEqual([made.id, 'active'])
  expect(new Set(ended.map(({ state }: { state: string }) => state))).toEqual(new Set(['revoked']))
})

test('paginates inactive keys', async () => {
  const { visitor, id } = await fixture.member()
  await addTestKeys(fixture, id, 230, 'Old', 0)
  const names: string[] = []
  let [pages, path] = [0, '/portal/keys']
  for (; path !== ''; pages++) {
    const page = await visitor.open(path)
    expect(page.text).toContain('230 inactive keys')
    names.push(...(page.text.match(/Old \d+\./g) ?? []))
    path = /href="(\/portal\/keys\?before=key_\w+)/.exec(page.html)?.[1] ?? ''
  }
  expect(pages).toBe(5)
  expect(names).toEqual(Array.from({ length: 230 }, (_, n) => `Old ${230 - n}.`))
  // Another account's key is not a valid cursor.
  const other = await fixture.member()
  expect(getData(await other.visitor.call('keys.ended', 'query', { before: 'key_Old7' }))).toEqual({ keys: [], next: null, count: 0, spentCredits: 0 })
})

test("the overview shows the balance, today's usage and how many days the credits will last", async () => {
  const { visitor, id } = await fixture.member({ credits: 60 })
  const { key } = getData(await createKey(visitor))
  await rates(key)
  await fixture.sql(
    `INSERT INTO usage_day SELECT $1, (now() AT TIME ZONE 'UTC')::date - ago, k.id, 3, 200, 10, 10 FROM api_key k, unnest(ARRAY[1, 10]) ago WHERE account_id = $1`,
    [id],
  )
  await expect
    .poll(async () => getData(await visitor.call('account.overview', 'query')), { timeout: 10_000 })
    .toMatchObject({ balanceCredits: 59, requestsToday: 1, creditsToday: 1, daysLeft: 29 })
  expect((await visitor.open('/portal')).text).toContain('59 credits · £5.90')
  expect((await visitor.open('/portal')).text).toMatch(/Live calls today \(UTC\) 1 of 1,000\s*Resets at 00:00 UTC/)
})

test('states no days left before three full days of usage, and suggests a top-up once today has used half of the balance', async () => {
  const { visitor } = await fixture.member({ credits: 7 })
  expect((await visitor.open('/portal')).text).toContain('Days left – Shown after 3 full days of usage.')
  const { key } = getData(await createKey(visitor))
  const action = async () => (await visitor.open('/portal')).html.match(/<h1[\s\S]*?<\/a>/)?.[0]
  await rates(key)
  expect(await action()).toContain('href="/portal/keys/new"')
  for (let call = 0; call < 3; call++) await rates(key)
  expect(getData(await visitor.call('account.overview', 'query'))).toMatchObject({ balanceCredits: 3, creditsToday: 4, daysLeft: null })
  expect(await action()).toContain('href="/portal/billing/top-up"')
})

test('rejects key modes other than test and live', async () => {
  const { visitor, email } = await fixture.member()
  expect((await fixture.signIn(fixture.visitor(), email, goodPassword)).path).toBe('/portal')
  for (const typed of [{ mode: 'partner' }, { mode: 'admin' }, { mode: '' }]) expect((await createKey(visitor, typed)).status).toBe(400)
})

test('limits new keys to sixty an hour, including revoked ones', async () => {
  const { visitor, id } = await fixture.member()
  await addTestKeys(fixture, id, 59, 'hour', 0)
  await fixture.sql('UPDATE api_key SET created_at = now() WHERE account_id = $1', [id])
  const last = getData(await createKey(visitor, { mode: 'test' }))
  const rotate = () => visitor.call('keys.rotate', 'mutation', { id: last.id, overlapHours: 0 })
  for (const refused of [await createKey(visitor, { mode: 'test' }), await rotate()])
    expect(getError(refused).message).toBe('An account can create 60 keys an hour. Try again later.')
  await fixture.sql("UPDATE api_key SET created_at = now() - interval '61 minutes' WHERE account_id = $1 AND public_id <> $2", [id, last.id])
  expect((await rotate()).status).toBe(200)
})
