/** Tests that every audit action in the code has a sentence for administrators and, if the account sees it, one for the account. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toSentence } from '#components/admin/audit-sentences.ts'
import { toHistoryLabel } from '#components/portal/settings/history-labels.ts'
import { accountActions, auditActionNames } from '#server/api/contract/audit-actions.ts'

const root = join(import.meta.dirname, '../../server')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('db/generated'))
  .map((file) => readFileSync(join(root, file), 'utf8'))

/** Actions in the server code that writes audit entries. */
const written = new Set(
  sources
    .filter((text) => /writeAudit|writeBoundedAudit|AuditEntry/.test(text))
    .flatMap((text) => [...text.matchAll(/action:(?: [\w.=! ]+\?)? '(sign-up|[a-z-]+\.[a-z-]+)'(?: : '([a-z-]+\.[a-z-]+)')?/g)])
    .flatMap(([, one, other]) => [one ?? [], other ?? []].flat()),
)

test('lists every action that the code writes', () => {
  expect(written.size).toBeGreaterThan(55)
  expect([...written].filter((action) => !auditActionNames.some((name) => name === action))).toEqual([])
})

const entry = { subject: null, subjectName: null, before: {}, after: {} }

test.each([...auditActionNames, ...written])('has a sentence for administrators about %s', (action) => {
  expect(toSentence({ ...entry, action })).toMatch(/^[A-Z][a-z]+ /)
  expect(toSentence({ ...entry, action })).not.toContain(action)
})

test.each(accountActions)('has a sentence for the account about %s', (action) => {
  expect(toHistoryLabel(action)).toMatch(/^[A-Z]\w+-?\w*( |$)/)
  expect(toHistoryLabel(action)).not.toBe(action)
})

test('names the incident in the sentence about its report', () => {
  expect(toSentence({ ...entry, action: 'incident.open', subject: 'inc_1', after: { title: 'Rates are late' } })).toBe('Reported the incident “Rates are late”')
})
