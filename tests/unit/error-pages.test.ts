import { describe, expect, test } from 'vitest'
import { allows, planNames, scopeNames } from '#server/api/contract/access.ts'
import { type ErrorCode, errorCodes, errors } from '#server/api/contract/errors.ts'
import { errorList, errorPage } from '#server/api/documents/error-texts.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { newKey } from '#server/keys/key-secret.ts'

function getPage(code: ErrorCode) {
  const page = errorPage(code, 'https://api.example.test')
  if (!page) throw new Error(`${code} has no page.`)
  return page
}

const getWords = (code: ErrorCode) => [getPage(code).why, ...getPage(code).next, ...getPage(code).fields.map(({ text }) => text)].join(' ')

test('every error code has a page, and the list follows the order of the error table', () => {
  expect(errorList().map(({ code }) => code)).toEqual(errorCodes)
  for (const { code, status, when } of errorList()) {
    expect(getPage(code)).toMatchObject({ code, status, when })
    expect([status, when]).toEqual([errors[code].status, errors[code].when])
  }
  for (const other of ['', 'INVALID_REQUEST', 'invalid-request', '__proto__', 'constructor', 'method_not_allowed']) expect(errorPage(other, '')).toBeNull()
})

/** Fields that the specification defines in addition to the four common ones. */
const extra: Partial<Record<ErrorCode, string[]>> = {
  insufficient_scope: ['required'],
  insufficient_credits: ['required', 'balance', 'topUp', 'reason'],
  rate_limited: ['retryAfter'],
  plan_upgrade_required: ['requiredPlan'],
  account_blocked: ['reason'],
  key_revoked: ['reason'],
}

test.each(errorCodes)('%s: the page describes every field of the response, and its example has no other fields', (code) => {
  const { fields, example } = getPage(code)
  expect(fields.map(({ name }) => name)).toEqual(extra[code] ?? [])
  const [error, message, requestId, docs, ...more] = Object.keys(example)
  expect([error, message, requestId, docs]).toEqual(['error', 'message', 'requestId', 'docs'])
  expect(example).toMatchObject({ error: code, message: errors[code].message, docs: `https://api.example.test/docs/errors/${code}` })
  expect(JSON.stringify(example)).not.toContain('…')
  expect(extra[code] ?? []).toEqual(expect.arrayContaining(more))
})

test.each(errorCodes)('%s: the page consists of plain sentences', (code) => {
  const { when, why, next, fields } = getPage(code)
  for (const text of [when, why, ...next, ...fields.map((field) => field.text)]) {
    expect(text).toMatch(/\.$/)
    expect(text).not.toMatch(/\b(please|sorry|oops|successfully|e-mail)\b/i)
    // API names are enclosed in backticks, so the number of backticks must be even.
    expect(text.split('`').length % 2).toBe(1)
  }
})

describe('the error pages', () => {
  test('mention only paths that exist', () => {
    const known = new Set<string>(registry.map(({ path }) => path))
    const named = errorCodes.flatMap((code) => [...getWords(code).matchAll(/`(?:GET )?(\/[a-z{][^`]*)`/g)].map(([, path]) => path ?? ''))
    expect(named.length).toBeGreaterThan(2)
    for (const path of named) expect(known.has(path), path).toBe(true)
  })

  test('mention only plans and scopes that exist', () => {
    expect(getWords('plan_upgrade_required').match(/`(hobby|business|enterprise)`/g)).toEqual(planNames.map((name) => `\`${name}\``))
    expect(planNames).toContain((getPage('plan_upgrade_required').example as { requiredPlan: string }).requiredPlan)
    expect(allows(new Set(scopeNames), (getPage('insufficient_scope').example as { required: (typeof scopeNames)[number] }).required)).toBe(true)
  })

  test('describe the actual key formats', () => {
    const [, test, live, characters] = /`(svc_test_)` or `(svc_live_)` followed by (\d+) characters/.exec(getWords('invalid_api_key')) ?? []
    expect(newKey('test')).toMatch(new RegExp(`^${test}[0-9A-Za-z]{${characters}}$`))
    expect(newKey('live')).toMatch(new RegExp(`^${live}[0-9A-Za-z]{${characters}}$`))
  })
})
