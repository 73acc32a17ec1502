import type { NoticeNews } from '#server/api/contract/billing-notices.ts'
import type { WebhookNotice } from '#server/api/contract/webhooks.ts'

/** What each kind of mail says about what happened. A mail is asked for with these facts and nothing more: no token, no text. */
export type MailFacts = {
  /** Somebody signed up with this address. Whether it gets a link or the news that it has an account is decided as the letter is written. */
  'sign-up': { accountId: number }
  /** Somebody asked for a new password for this address. */
  reset: Record<never, never>
  /** An account wants to move to this address. `version` is that of its sessions, as of whoever asks. */
  'change-email': { accountId: number; version: number }
  /** The same, told to the address that it has. */
  'email-change-asked': { at: string; address: string | null; newEmail: string }
  /** `providers` sign in to the account as before, though its password is another one. */
  'password-changed': { at: string; address: string | null; providers?: readonly string[] }
  'email-changed': { at: string; newEmail: string }
  'new-sign-in': { at: string; address: string | null; agent: string }
  /** With `hasNewCodes` it is on as before, and its recovery codes are others. */
  'second-factor-changed': { at: string; isOn: boolean; hasNewCodes?: boolean }
  'provider-changed': { at: string; provider: string; isConnected: boolean }
  'account-closed': { at: string }
  /** The review is over. It is asked for by the room of accounts, in the statement that approves. */
  'account-approved': Record<never, never>
  'account-declined': { reason: string }
  /** Something about credits and payments. */
  billing: { at: string; account: string | null } & NoticeNews
  /** Something about an endpoint of webhooks. It is asked for in the database, by tell_webhook. */
  webhook: WebhookNotice
  /** To administrators: an account asks to have webhooks switched on. */
  'webhooks-asked': { at: string; account: string; email: string; name: string }
  /** A change of the API: the id of its entry in the changelog, and what it says. */
  change: { entry: string; title: string; body: string }
  /** A new version of the Data Licence: what is new in it, and until when the one before will do. */
  licence: { label: string; changes: string; graceEndsAt: string }
}

export type MailKind = keyof MailFacts

/** Kinds that go to many at once: they are told once or not at all, and whoever waits for another mail gets it before them. */
export type MailingKind = 'change' | 'licence'

/** Kinds that strangers can set off for any address: an address gets only so many of them an hour, and then one every ten minutes. */
export const setOffByStrangers: ReadonlySet<MailKind> = new Set<MailKind>(['sign-up', 'reset', 'change-email'])

/** Kinds with a link that somebody has just asked for, and looks for in the inbox now or not at all. A sign-up is to be confirmed whenever its link comes. */
export const waitedForShortly: ReadonlySet<MailKind> = new Set<MailKind>(['reset', 'change-email'])
