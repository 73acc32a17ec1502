import { roleNames } from '#server/api/contract/teams.ts'
import { action, type EmailContent, type EmailData, message, text } from '../email-content.ts'
import type { EmailContext } from './account-emails.ts'

type Invitation = {
  readonly token: string
  readonly account: { readonly name: string; readonly email: string }
  readonly inviter: string
  readonly role: keyof typeof roleNames
}

/** Returns a user-chosen name without the characters that mail programs need to detect links. */
const plain = (name: string): string => name.replace(/[^\p{L}\p{N}\p{M}&'’()-]+/gu, ' ').trim()

const toName = ({ name, email }: Invitation['account']): string => (plain(name) === '' ? email : plain(name))

export const invitationEmail = ({ publicUrl, recipient }: EmailContext, { token, account, inviter, role }: Invitation): EmailContent =>
  message(
    `Invitation to ${toName(account)}`,
    text(`${inviter} invited you to the account ${toName(account)}. Role: ${roleNames[role]}.`),
    action('View invitation', `${publicUrl}/join/${token}`),
    text(`This link works once, for ${recipient} only, and expires in 7 days. If you don't know ${inviter}, ignore this email.`),
  )

const changes = {
  removed: (account: string) => [`You were removed from ${account}`, `You no longer have access to ${account}. You can still sign in to your own account.`],
  owner: (account: string) => [
    `You now own ${account}`,
    `The account ${account} was transferred to you. You now manage its members, keys, billing and licence. The transfer removed single sign-on. If members used it, set it up again under Settings > Members.`,
  ],
  transferred: (account: string) => [`You transferred ${account}`, `The account ${account} has a new owner. You still have access to it as a developer.`],
} as const

export const teamEmail = ({ publicUrl }: EmailContext, { change, account }: EmailData['team']): EmailContent => {
  const [subject = '', line = ''] = changes[change](toName(account))
  return message(subject, text(line), action('Open the portal', `${publicUrl}/portal`))
}
