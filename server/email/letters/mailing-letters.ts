import { action, facts, type Letter, text } from '../letter.ts'
import type { MailFacts } from '../mail-kinds.ts'
import { type LetterContext, moment } from './account-letters.ts'

/** Markdown as a mail can say it: without the marks of code, headings and stress, and with links written out. */
const plain = (markdown: string, publicUrl: string): string =>
  markdown
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, to: string) => `${label} (${to.startsWith('/') ? publicUrl : ''}${to})`)
    .replace(/^#+ /gm, '')
    .replace(/(\*\*|__)(?=\S)([\s\S]*?\S)\1/g, '$2')
    .replace(/(^|[^\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])/g, '$1$2')
    .replaceAll('`', '')

/** Each paragraph and each line of a list stands by itself. What forms send ends its lines in another way. */
const partsOf = (body: string): string[] =>
  body
    .replaceAll('\r\n', '\n')
    .split(/\n\s*\n|\n(?=(?:[-*]|\d+\.) )/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const said = (body: string, publicUrl: string) => partsOf(body).map((part) => text(plain(part, publicUrl)))

/** The letter about an entry of the changelog. */
export const changeLetter = ({ publicUrl }: LetterContext, { entry, title, body }: MailFacts['change']): Letter => ({
  subject: `Changelog: ${plain(title, publicUrl)}`,
  parts: [
    ...said(body, publicUrl),
    action('Read the changelog', `${publicUrl}/changelog#${entry}`),
    text('You get this because your account has a key that works. Changes of the API are announced this way and in the changelog.'),
  ],
})

/** The letter about a new version of the Data Licence. */
export const licenceLetter = ({ publicUrl }: LetterContext, { label, changes, graceEndsAt }: MailFacts['licence']): Letter => ({
  subject: `Data Licence ${label}: accept it by ${moment(graceEndsAt).replace(/,.*/, '')}`,
  parts: [
    text(`There is a new version of the Data Licence, ${label}. Read it and accept it in the portal. Until then your calls go on under the version before.`),
    facts(['Calls stop unless you accept', moment(graceEndsAt)], ['Full text', `${publicUrl}/licence/${label}`]),
    ...said(changes, publicUrl),
    action(`Accept ${label}`, `${publicUrl}/portal/licence`),
    text('You get this because your account has a key that works.'),
  ],
})
