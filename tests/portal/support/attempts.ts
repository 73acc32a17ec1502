import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { anAlert } from './alert-cases.ts'
import { newAuthorizationRequest } from './authorization-request.ts'
import { goodPassword, type PortalFixture } from './portal-fixture.ts'
import { addSingleSignOn } from './teams.ts'
import type { Page, SendInit, Visitor } from './visitor.ts'

export const wrong = 'not the password of this'

/** Values of the form for single sign-on. */
export const aProvider = { issuer: 'https://login.example.com', clientId: 'a-client', clientSecret: 'a secret of the tests' }

export const isThrottled = ({ text }: Pick<Page, 'text'>): boolean => /Too many attempts\. Try again in \d+ (?:second|minute)s?\./.test(text)

/** Returns helpers for tests of rate limits. The service must trust `X-Forwarded-For`. */
export function attempts(fixture: PortalFixture) {
  let networks = 0

  /** Returns a new browser, by default with its own IP address. */
  function someone(address = `198.51.100.${++networks}`): { visitor: Visitor; address: string } {
    const visitor = fixture.visitor()
    const send = visitor.send.bind(visitor)
    visitor.send = (path, init: SendInit = {}) => send(path, { ...init, headers: { 'x-forwarded-for': address, ...init.headers } })
    return { visitor, address }
  }

  /** Tries a wrong password in a new browser. */
  async function guess(email: string, address?: string): Promise<Page> {
    const { visitor } = someone(address)
    return visitor.submitForm(await visitor.open('/sign-in'), 'Sign in', { email, password: wrong })
  }

  /** Sets the number of attempts already used in the bucket for `who`. If `who` is empty, sets it in all buckets that are not in `since`. */
  async function setUsed(limit: { name: string }, who: string, since: readonly string[], used: number): Promise<void> {
    const buckets = await fixture.sql<{ bucket: string }>("SELECT encode(bucket, 'hex') AS bucket FROM throttle")
    const named = createHash('sha256').update(`${limit.name}\0${who}`).digest('hex')
    const fresh = buckets.map(({ bucket }) => bucket).filter((bucket) => !since.includes(bucket))
    const target = who === '' ? fresh : [named]
    const changed = await fixture.sql("UPDATE throttle SET used = $2 WHERE encode(bucket, 'hex') = ANY ($1) RETURNING used", [target, used])
    expect(changed.length).toBeGreaterThan(0)
  }

  /** Returns a repeatable attempt to start a sign-in through the single sign-on provider of an account. */
  async function startAtOrganisation(): Promise<{ who: string; again: () => Promise<Page> }> {
    const member = await fixture.member()
    await addSingleSignOn(fixture, member, aProvider.issuer)
    const again = async () => {
      const { visitor } = someone()
      return visitor.submitForm(await visitor.open(`/sign-in?organisation=${member.publicId}`), 'Continue with single sign-on')
    }
    return { who: member.publicId, again }
  }

  return { someone, guess, setUsed, startAtOrganisation }
}

/** Returns a repeatable approval of an application. */
export async function approvals(fixture: PortalFixture) {
  const { id, visitor } = await fixture.member()
  const request = await newAuthorizationRequest(fixture)
  const key = { mode: 'test', name: 'Notebook', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
  return { who: String(id), again: async () => ({ text: JSON.stringify(await visitor.call('oauth.approve', 'mutation', { ...key, request })) }) }
}

/** Returns a repeatable procedure call by a new member. */
async function repeatedCalls(fixture: PortalFixture, name: string, input: object) {
  const { id, visitor } = await fixture.member()
  await visitor.call('webhooks.enable', 'mutation')
  return { who: String(id), again: async () => ({ text: JSON.stringify(await visitor.call(name, 'mutation', input)) }) }
}

const aWebhook = { url: 'https://receiver.example.com/hook', description: '', types: ['rate.changed'], providers: '', accountTypes: [], minChange: '' }

const aPurchase = { key: 'purchase-of-the-tests', amountPence: 2_000, savesCard: false }
const noDetails = { name: '', line1: '', line2: '', city: '', postcode: '', country: 'GB', vatNumber: '' }

/** Returns the limits of procedures that a member can call repeatedly. */
export const limitedProcedures = (fixture: PortalFixture) => ({
  alertChanges: { allowed: 300, windowSeconds: 3_600, attempts: () => repeatedCalls(fixture, 'alerts.create', anAlert) },
  webhooksCreated: { allowed: 60, windowSeconds: 3_600, attempts: () => repeatedCalls(fixture, 'webhooks.create', aWebhook) },
  purchases: { allowed: 60, windowSeconds: 3_600, attempts: () => repeatedCalls(fixture, 'billing.startTopUp', aPurchase) },
  billingDetails: { allowed: 60, windowSeconds: 3_600, attempts: () => repeatedCalls(fixture, 'billing.setDetails', noDetails) },
})

/** Returns a function that requests an email change. */
export async function changesOfEmail(fixture: PortalFixture, visitor: Visitor): Promise<() => Promise<Page>> {
  const page = await visitor.open('/portal/settings/security')
  return () => visitor.submitForm(page, 'Send link to new address', { email: fixture.newEmail(), currentPassword: goodPassword })
}
