import type { EmailData } from '../email-content.ts'
import { action, type EmailContent, facts, message, text } from '../email-content.ts'
import { type EmailContext, moment } from './account-emails.ts'

/** Converts Markdown to plain text: drops code, heading and emphasis marks and writes links out. */
const toPlainText = (markdown: string, publicUrl: string): string =>
  markdown
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, to: string) => `${label} (${to.startsWith('/') ? publicUrl : ''}${to})`)
    .replace(/^#+ /gm, '')
    .replace(/(\*\*|__)(?=\S)([\s\S]*?\S)\1/g, '$2')
    .replace(/(^|[^\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])/g, '$1$2')
    .replaceAll('`', '')

/** Splits Markdown into paragraphs and list items. Lines may end with CRLF, as in form submissions. */
const splitBody = (body: string): string[] =>
  body
    .replaceAll('\r\n', '\n')
    .split(/\n\s*\n|\n(?=(?:[-*]|\d+\.) )/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const toParagraphs = (body: string, publicUrl: string) => splitBody(body).map((part) => text(toPlainText(part, publicUrl)))

/** Builds the email for a changelog entry. */
export const changeEmail = ({ publicUrl }: EmailContext, { entry, title, body }: EmailData['change']): EmailContent =>
  message(
    `Changelog: ${toPlainText(title, publicUrl)}`,
    ...toParagraphs(body, publicUrl),
    action('Read the changelog', `${publicUrl}/changelog#${entry}`),
    text("You're receiving this because your account has an active key. We announce API changes by email and in the changelog."),
  )

/** Builds the email for a new version of the Data Licence. */
export const licenceEmail = ({ publicUrl }: EmailContext, { label, changes, graceEndsAt }: EmailData['licence']): EmailContent =>
  message(
    `Data Licence ${label}: accept it by ${moment(graceEndsAt).replace(/,.*/, '')}`,
    text(
      `There's a new version of the Data Licence, ${label}. Read and accept it in the portal. Until the deadline, the previous version applies to your calls. After that, your calls are rejected until you accept.`,
    ),
    facts(['Deadline', moment(graceEndsAt)], ['Full text', `${publicUrl}/licence/${label}`]),
    ...toParagraphs(changes, publicUrl),
    action(`Accept ${label}`, `${publicUrl}/portal/licence`),
    text("You're receiving this because your account has an active key."),
  )
