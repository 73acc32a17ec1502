/** Tests how administrators draft and publish versions of the Data Licence, and how customers accept them. */
import { expect, test } from 'vitest'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { verifies } from '../requirements/verifies.ts'
import { call, makeKey } from '../support/accounts.ts'
import { notifiedAccounts, restoreSharedAfter } from './support/restore-shared.ts'

const fixture = portalFixture()
restoreSharedAfter(fixture)

const label = 'v2097-01'
const body = 'What you may do.\n\n## 1. Attribution\n\nThe line may be **shorter** now.'
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

verifies(
  'portal/licence-reacceptance',
  'publishes and announces a version, and rejects calls after the grace period until it is accepted',
  async () => {
    const [admin, member] = [await fixture.administrator(), await fixture.member()]
    const { key } = await makeKey(fixture.pool, member)
    const { visitor } = admin
    const form = await visitor.open('/admin/licences/new')
    // The form contains the current text with its placeholders filled in.
    expect(form.text).toContain('This licence says what you may do')
    expect(form.text).not.toContain('{{')
    const wrong = await visitor.submitForm(form, 'Save and preview', { label: 'next', changes: '', graceEndsOn: day(-1), reason: 'Lawyers.' })
    for (const fault of [
      'The version must be a year and month, such as v2027-01.',
      'Describe the changes',
      'The grace period must be at least 14 days. Enter ',
    ])
      expect(wrong.text).toContain(fault)
    const text = { label, changes: 'Attribution may be shorter.', graceEndsOn: day(30), body }
    const { id } = (await visitor.submitForm(form, 'Save and preview', { ...text, reason: 'Lawyers.' })).result
    const open = () => visitor.open(`/admin/licences/${id}`)
    const draft = await open()
    expect(draft.text).toContain(`Current version: v2026-09. New version: ${label}, to be accepted by`)
    expect(draft.text).toContain('The line may be shorter now.')
    expect((await fixture.visitor().open(`/licence/${label}`)).status).toBe(404)
    expect((await visitor.submitForm(draft, 'Save draft', { changes: 'Attribution may be much shorter.', reason: 'Clearer.' })).status).toBe(200)
    const rewritten = await open()
    const button = `Publish ${label} and email ${await notifiedAccounts(fixture)}`
    expect((await visitor.submitForm(draft, button, { reason: 'It is agreed.' })).text).toContain('This draft has changed since you opened it.')
    expect((await visitor.submitForm(rewritten, button, { reason: 'It is agreed.' })).status).toBe(200)
    const list = await visitor.open('/admin/licences')
    expect([list.text.includes('No drafts.'), list.text.includes(label)]).toEqual([true, true])

    expect((await fixture.mailbox.next(member.email)).subject).toMatch(new RegExp(`^Data Licence ${label}: accept it by \\d+ \\w+ \\d{4}$`))
    // Public pages are served from memory, and are updated within seconds.
    const follows = (path: string, text: string) => expect.poll(async () => (await fixture.visitor().open(path)).text, { timeout: 15_000 }).toContain(text)
    await follows('/changelog', 'Attribution may be much shorter.')
    await follows('/licence/v2026-09', 'This version has been superseded')
    const page = await fixture.visitor().open(`/licence/${label}`)
    expect([page.status, page.text.includes('The line may be shorter now.')]).toEqual([200, true])
    expect(await (await fetch(`${fixture.origin}/licence/${label}.md`)).text()).toContain('The line may be **shorter** now.')
    const [older, newer] = [await fixture.visitor().open('/licence/v2026-09'), await fixture.visitor().open(`/licence/${label}`)]
    expect(older.text).toContain('This licence says what you may do')
    expect(older.text).toMatch(new RegExp(`This version has been superseded Data Licence ${label} replaced it on \\d+ \\w+ \\d{4}`))
    expect(older.html).toContain(`href="/licence/${label}"`)
    expect(newer.text).not.toContain('superseded')
    expect(newer.text).toContain('What changed since v2026-09 Attribution may be much shorter.')
    expect(newer.text).toMatch(/− Removed This licence says what you may do.* \+ Added What you may do\./)
    expect(newer.text).toContain('Previous Data Licence v2026-09')

    const calls = async () => {
      const answer = await call(`${fixture.origin}/v1`, '/rates?limit=1', key)
      return [answer.status, answer.body.error ?? null]
    }
    expect(await calls()).toEqual([200, null])
    // The new version applies to the next API call, and appears on pages and in documents within seconds.
    await expect.poll(async () => (await fixture.visitor().open('/licence')).text, { timeout: 15_000, interval: 200 }).toContain('The line may be shorter now.')
    expect(await (await fetch(`${fixture.origin}/api/developer/openapi.json`)).json()).toMatchObject({ info: { license: { name: `Data Licence ${label}` } } })
    await follows('/', `Data Licence ${label}`)
    const home = await fixture.visitor().open('/')
    expect([home.text.includes(`Data Licence ${label}`), home.html.includes(`href="/licence/${label}"`)]).toEqual([true, true])
    expect(await (await fetch(`${fixture.origin}/llms.txt`)).text()).toContain(`[Data Licence ${label}](${fixture.origin}/licence/${label}.md)`)
    expect((await member.visitor.open('/portal')).text).toMatch(/unless you accept/)
    await fixture.sql("UPDATE licence_version SET grace_ends_at = now() - interval '1 minute' WHERE label = $1", [label])
    await fixture.sql('UPDATE service_state SET version = version + 1')
    expect(await calls()).toEqual([403, 'licence_reacceptance_required'])
    const accepting = await member.visitor.open('/portal/licence')
    expect(accepting.text).toContain('Attribution may be much shorter.')
    await member.visitor.submitForm(accepting, `Accept ${label}`)
    expect(await calls()).toEqual([200, null])
    expect((await visitor.open('/admin/licences')).text).toMatch(new RegExp(`${label} Published .*? Accounts 1 `))
    const lines = await fixture.sql<{ action: string; subject: string }>('SELECT action, subject FROM audit_entry WHERE actor_account_id = $1 ORDER BY id', [
      admin.id,
    ])
    expect(lines.map(({ action }) => action)).toEqual(['licence.draft', 'licence.rewrite', 'licence.publish'])
    expect(lines.at(-1)?.subject).toBe(label)
  },
  60_000,
)

test('rejects changes to a published version and reuse of its label', async () => {
  const { visitor } = await fixture.administrator()
  const ask = (name: string, input: object) => visitor.call(`admin.licences.${name}`, 'mutation', { reason: 'A test.', ...input })
  const text = { label: 'v2098-01', changes: 'Something.', body: 'Text.', graceEndsOn: day(30) }
  const [one, other] = [getData(await ask('begin', text)), getData(await ask('begin', text))]
  expect((await ask('publish', { id: one.id, revision: 1 })).status).toBe(200)
  expect((await ask('rewrite', { ...text, id: one.id, revision: 1 })).status).toBe(404)
  const second = await ask('publish', { id: other.id, revision: 1 })
  expect([second.status, JSON.stringify(second.body)]).toEqual([400, expect.stringContaining('v2098-01 is already published.')])
  expect(JSON.stringify((await ask('begin', text)).body)).toContain('v2098-01 is already published.')
  for (const column of ['body', 'changes', 'label'])
    await expect(fixture.sql(`UPDATE licence_version SET ${column} = 'v1999-01' WHERE label = 'v2098-01'`)).rejects.toThrow('append-only')
  expect((await ask('discard', { id: other.id, revision: 1 })).status).toBe(200)
})

test('requires a grace period of at least 14 days, and a label later than the latest version', async () => {
  const { visitor } = await fixture.administrator()
  const ask = (name: string, input: object) => visitor.call(`admin.licences.${name}`, 'mutation', { reason: 'A test.', ...input })
  const getFaults = async (name: string, input: object) => getError(await ask(name, input))?.data.fields
  const text = { label: 'v2099-01', changes: 'Something.', body: 'Text.', graceEndsOn: day(15) }
  const tooShort = { graceEndsOn: expect.stringMatching(/^The grace period must be at least 14 days\. Enter \d+ [A-Z][a-z]+ \d{4} or later\.$/) }
  expect(await getFaults('begin', { ...text, graceEndsOn: day(14) })).toEqual(tooShort)
  const draft = getData(await ask('begin', text))
  await fixture.sql("UPDATE licence_draft SET grace_ends_at = now() + interval '13 days' WHERE public_id = $1", [draft.id])
  expect(await getFaults('publish', { id: draft.id, revision: 1 })).toEqual(tooShort)
  const [first] = await fixture.sql<{ label: string }>('SELECT max(label) AS label FROM licence_version')
  expect(await getFaults('begin', { ...text, label: 'v2026-10' })).toEqual({ label: `${first?.label} is already published. Choose a later version.` })
  expect((await ask('discard', { id: draft.id, revision: 1 })).status).toBe(200)
})

test('rejects one of two concurrent attempts to publish the same label', async () => {
  const { visitor } = await fixture.administrator()
  const ask = (name: string, input: object) => visitor.call(`admin.licences.${name}`, 'mutation', { reason: 'A test.', ...input })
  const text = { label: 'v2099-02', changes: 'Something.', body: 'Text.', graceEndsOn: day(30) }
  const drafts = [getData(await ask('begin', text)), getData(await ask('begin', { ...text, changes: 'Something else.' }))]
  const answers = await Promise.all(drafts.map(({ id }) => ask('publish', { id, revision: 1 })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const [refused] = answers.filter(({ status }) => status === 400)
  expect(JSON.stringify(refused?.body)).toContain('v2099-02 is already published.')
})
