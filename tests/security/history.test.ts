import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, type Visitor } from '../portal/support/visitor.ts'

const fixture = portalFixture()

const wrong = 'not the password'

/** Waits for `count` failures in the account's history and returns them. They are written after the response. */
async function getFailures({ id }: Member, count: number): Promise<string[]> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const rows = await fixture.sql<{ action: string }>(
      "SELECT action FROM audit_entry WHERE account_id = $1 AND (action LIKE 'sign-in.%' OR action = 'reauthentication.fail') ORDER BY id",
      [id],
    )
    if (rows.length >= count) return rows.map(({ action }) => action)
    await sleep(20)
  }
  throw new Error(`The account history has fewer than ${count} failures.`)
}

/** Waits for `count` log lines with this text. */
async function logged(text: string, count = 1): Promise<string[]> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const lines = fixture.service
      .log()
      .split('\n')
      .filter((line) => line.includes(text))
    if (lines.length >= count) return lines
    await sleep(20)
  }
  throw new Error(`The log has fewer than ${count} lines with ${text}.`)
}

async function guess(email: string, times = 1): Promise<Visitor> {
  const visitor = fixture.visitor()
  const page = await visitor.open('/sign-in')
  for (let attempt = 0; attempt < times; attempt++) await visitor.submitForm(page, 'Sign in', { email, password: wrong })
  return visitor
}

test('records a failed sign-in in the account history and the log, without the password', async () => {
  const member = await fixture.member()
  await guess(member.email)
  expect(await getFailures(member, 1)).toEqual(['sign-in.fail'])
  const { lines } = getData(await member.visitor.call('profile.history', 'query', { before: null }))
  expect(lines[0]).toMatchObject({ action: 'sign-in.fail', actor: 'service', address: '127.0.0.1' })
  expect((await member.visitor.open('/portal/settings/account')).text).toContain('Sign-in failed')
  const [line = ''] = await logged(`"event":"sign-in.fail","account":"${member.publicId}"`)
  for (const secret of [wrong, member.email]) expect(line).not.toContain(secret)
})

test('records at most five lock-outs and five failures an hour', async () => {
  const member = await fixture.member()
  await guess(member.email, 17)
  await sleep(200)
  const failures = await getFailures(member, 10)
  expect(failures.filter((action) => action === 'sign-in.fail')).toHaveLength(5)
  expect(failures.filter((action) => action === 'sign-in.lock-out')).toHaveLength(5)
})

test('stores nothing about a failed sign-in for an unknown address', async () => {
  const count = async () => (await fixture.sql<{ n: string }>('SELECT count(*) AS n FROM audit_entry'))[0]?.n
  const before = await count()
  const email = fixture.newEmail()
  await guess(email)
  const [line = ''] = await logged('"event":"sign-in.fail","account":null')
  expect([line.includes(email), await count()]).toEqual([false, before])
})

test('records a failed identity confirmation in the account history', async () => {
  const member = await fixture.member()
  await member.visitor.call('security.reauthenticate', 'mutation', { password: wrong, code: '' })
  expect(await getFailures(member, 1)).toEqual(['reauthentication.fail'])
})

test('logs rejected attempts to reach the admin area', async () => {
  const { visitor, publicId } = await fixture.member()
  await visitor.open('/admin/accounts')
  await visitor.call('admin.accounts.list', 'query', {})
  const lines = await logged(`"event":"admin.refuse","account":"${publicId}"`, 2)
  expect(lines.map((line) => JSON.parse(line).what).toSorted()).toEqual(['/admin/accounts', 'admin.accounts.list'])
  const half = await fixture.member({ isAdmin: true })
  await half.visitor.open('/admin/credits')
  await half.visitor.call('admin.accounts.list', 'query', {})
  const refusals = await logged(`"event":"admin.refuse","account":"${half.publicId}"`, 2)
  expect(refusals.map((line) => JSON.parse(line).what).toSorted()).toEqual(['/admin/credits', 'admin.accounts.list'])
})
