import type { NoticeNews } from '#server/api/contract/billing-notices.ts'
import type { IncidentState } from '#server/api/contract/incidents.ts'
import { productName } from '#server/api/contract/product-name.ts'
import type { TicketTopic } from '#server/api/contract/support.ts'
import type { WebhookNotice } from '#server/api/contract/webhooks.ts'

/** An email before rendering: its subject and its parts, in order. */
export type EmailContent = {
  readonly subject: string
  readonly parts: readonly EmailPart[]
  /** URL that ends the recipient's subscription when it receives a POST (RFC 8058). */
  readonly unsubscribeUrl?: string
}

type EmailPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Button with a link. Its URL is also written out as text. */
  | { readonly kind: 'action'; readonly label: string; readonly url: string }
  /** Two-column table of names and values. */
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }

export const text = (line: string): EmailPart => ({ kind: 'text', text: line })
export const action = (label: string, url: string): EmailPart => ({ kind: 'action', label, url })
export const facts = (...rows: (readonly [string, string])[]): EmailPart => ({ kind: 'facts', rows })

/** Returns an email before rendering. */
export const message = (subject: string, ...parts: EmailPart[]): EmailContent => ({ subject, parts })

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (value: string): string => value.replace(/[&<>"']/g, (character) => escapes[character] ?? character)

const font = "font-family:'Atkinson Hyperlegible Next',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

function plainPart(part: EmailPart): string {
  if (part.kind === 'text') return part.text
  if (part.kind === 'action') return `${part.label}:\n${part.url}`
  return part.rows.map(([name, value]) => `${name}: ${value}`).join('\n')
}

function htmlPart(part: EmailPart): string {
  if (part.kind === 'text') return `<p style="margin:0 0 16px">${escaped(part.text)}</p>`
  if (part.kind === 'action') {
    const url = escaped(part.url)
    // Inline colours: emails can't use the site's theme.
    return `<p style="margin:0 0 16px"><a href="${url}" style="display:inline-block;padding:12px 20px;border-radius:3px;background:#0f5b44;color:#ffffff;font-weight:600;text-decoration:none">${escaped(part.label)}</a></p><p style="margin:0 0 16px;font-size:13px;color:#46564f;word-break:break-all">${url}</p>`
  }
  const rows = part.rows.map(
    ([name, value]) =>
      `<tr><td style="padding:4px 24px 4px 0;color:#46564f;vertical-align:top">${escaped(name)}</td><td style="padding:4px 0">${escaped(value)}</td></tr>`,
  )
  return `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse;${font};font-size:15px;line-height:22px;color:#12211b">${rows.join('')}</table>`
}

/** Renders an email as plain text and as HTML with the same text. The HTML uses the site's colours and loads no external resources. */
export function renderContent({ subject, parts }: EmailContent, publicUrl: string): { subject: string; text: string; html: string } {
  const sender = `${productName}\n${publicUrl}`
  const plain = [...parts.map(plainPart), `--\n${sender}`].join('\n\n')
  const html = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escaped(subject)}</title></head><body style="margin:0;background:#f6f8f7"><div style="max-width:560px;margin:0 auto;padding:32px 20px;${font};font-size:15px;line-height:22px;color:#12211b"><p style="margin:0 0 24px;padding-bottom:12px;border-bottom:1px solid #d7dfdb;font-weight:600">${productName}</p>${parts.map(htmlPart).join('')}<p style="margin:24px 0 0;padding-top:12px;border-top:1px solid #d7dfdb;font-size:13px;color:#46564f">${productName} · <a href="${escaped(publicUrl)}" style="color:#0f5b44">${escaped(publicUrl.replace(/^https?:\/\//, ''))}</a></p></div></body></html>`
  return { subject, text: `${plain}\n`, html }
}

/** Renders the subject and the plain text of an email, for a preview. */
export function renderPreview(content: EmailContent, publicUrl: string): { subject: string; text: string } {
  const { subject, text: plain } = renderContent(content, publicUrl)
  return { subject, text: plain }
}

/** Data stored with a queued email, by kind. Never contains tokens or rendered text. */
export type EmailData = {
  /** Someone signed up with this address. When the email is rendered, it becomes a confirmation link or "you already have an account". */
  'sign-up': { accountId: number }
  /** Someone requested a password reset for this address. */
  reset: Record<never, never>
  /** Confirms the new address of an account. `version` is the account's session version at the time of the request. */
  'change-email': { accountId: number; version: number }
  /** Notifies the current address that someone asked to change the account's email to `newEmail`. */
  'email-change-asked': { at: string; address: string | null; newEmail: string }
  /** `providers` are the identity providers that can still be used to sign in after the password change. */
  'password-changed': { at: string; address: string | null; providers?: readonly string[] }
  'email-changed': { at: string; newEmail: string }
  'new-sign-in': { at: string; address: string | null; agent: string }
  /** With `hasNewCodes`, two-factor sign-in was already on and its recovery codes were replaced. */
  'second-factor-changed': { at: string; isOn: boolean; hasNewCodes?: boolean }
  /** `provider` is the name of an identity provider or, if `isOrganisation` is true, of an organisation with single sign-on. */
  'provider-changed': { at: string; provider: string; isConnected: boolean; isOrganisation?: boolean }
  'account-closed': { at: string }
  /** Review outcome. Enqueued by server/accounts in the statement that approves the account. */
  'account-approved': Record<never, never>
  'account-declined': { reason: string }
  /** `reason` is the one shown to the customer; null if there is none. */
  'account-blocked': { reason: string | null }
  'account-unblocked': Record<never, never>
  /** Notice about a change in credits or payments. */
  billing: { at: string; account: string | null } & NoticeNews
  /** Notice about the health of a webhook endpoint. Enqueued by the SQL function email_webhook_notice. */
  webhook: WebhookNotice
  /** Asks administrators to enable webhooks for an account. */
  'webhooks-asked': { at: string; account: string; email: string; name: string }
  /** A customer's message to support, for the administrators. */
  'ticket-message': { ticket: string; topic: TicketTopic; email: string; isConfirmed: boolean; text: string }
  /** Our answer to a customer's message. */
  'ticket-answer': { ticket: string; text: string; isFirst?: boolean }
  /** Invites the recipient to an account. The link is created when the email is rendered. */
  invitation: { invitation: string }
  /** Notifies a person that their access to an account has changed. */
  team: { change: 'removed' | 'owner' | 'transferred'; account: { name: string; email: string } }
  /** An API change: the id and text of its changelog entry. */
  change: { entry: string; title: string; body: string }
  /** Asks the owner of an address to confirm that they want status emails. */
  'status-confirm': Record<never, never>
  /** Update on an incident. `incident` is its id. */
  'status-update': { incident: string; title: string; state: IncidentState; body: string; at: string }
  /** Changes that a member's market alerts found. `id` is the id of the email in server/alerts. */
  'market-alert': { id: string }
  /** A new version of the Data Licence: its changes, and how long the previous version is still accepted. */
  licence: { label: string; changes: string; graceEndsAt: string }
}

export type EmailKind = keyof EmailData

/** Kinds of bulk email. They are sent at most once, and after other emails. */
export type MailingKind = 'change' | 'licence'

/** Kinds that unauthenticated requests can trigger for any address. Each address gets a limited number an hour, and after that one every ten minutes. */
export const rateLimitedKinds: ReadonlySet<EmailKind> = new Set<EmailKind>(['sign-up', 'reset', 'change-email', 'status-confirm', 'invitation'])

/** Kinds with a link that is only useful right after the request. A sign-up confirmation stays useful however late it arrives. */
export const shortLivedKinds: ReadonlySet<EmailKind> = new Set<EmailKind>(['reset', 'change-email'])
