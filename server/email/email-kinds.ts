import type { NoticeNews } from '#server/api/contract/billing-notices.ts'
import type { WebhookNotice } from '#server/api/contract/webhooks.ts'

/** Facts stored with a queued email, by kind. No tokens and no rendered text. */
export type EmailData = {
  /** Someone signed up with this address. Whether to send a confirmation link or "you already have an account" is decided when the email is written. */
  'sign-up': { accountId: number }
  /** Someone requested a password reset for this address. */
  reset: Record<never, never>
  /** Confirms the new address of an account. `version` is the account's session version at the time of the request. */
  'change-email': { accountId: number; version: number }
  /** Notifies the current address of the same request. */
  'email-change-asked': { at: string; address: string | null; newEmail: string }
  /** `providers` can still sign in to the account after the password change. */
  'password-changed': { at: string; address: string | null; providers?: readonly string[] }
  'email-changed': { at: string; newEmail: string }
  'new-sign-in': { at: string; address: string | null; agent: string }
  /** With `hasNewCodes`, two-factor sign-in was already on and its recovery codes were replaced. */
  'second-factor-changed': { at: string; isOn: boolean; hasNewCodes?: boolean }
  'provider-changed': { at: string; provider: string; isConnected: boolean }
  'account-closed': { at: string }
  /** Review outcome. Enqueued by server/accounts in the statement that approves the account. */
  'account-approved': Record<never, never>
  'account-declined': { reason: string }
  /** A change in credits or payments. */
  billing: { at: string; account: string | null } & NoticeNews
  /** A change in an endpoint's health. Enqueued in the database by tell_webhook. */
  webhook: WebhookNotice
  /** Asks administrators to enable webhooks for an account. */
  'webhooks-asked': { at: string; account: string; email: string; name: string }
  /** An API change: the id and text of its changelog entry. */
  change: { entry: string; title: string; body: string }
  /** A new version of the Data Licence: its changes, and how long the previous version is still accepted. */
  licence: { label: string; changes: string; graceEndsAt: string }
}

export type EmailKind = keyof EmailData

/** Kinds of bulk email. They are sent at most once, and after other emails. */
export type MailingKind = 'change' | 'licence'

/** Kinds that unauthenticated requests can trigger for any address. Each address gets a limited number an hour, then one every ten minutes. */
export const rateLimitedKinds: ReadonlySet<EmailKind> = new Set<EmailKind>(['sign-up', 'reset', 'change-email'])

/** Kinds with a link that is only useful right after the request. A sign-up confirmation stays useful however late it arrives. */
export const shortLivedKinds: ReadonlySet<EmailKind> = new Set<EmailKind>(['reset', 'change-email'])
