import { action, type Letter, text } from '../letter.ts'
import type { MailFacts } from '../mail-kinds.ts'
import type { LetterContext } from './account-letters.ts'

/** Markdown as a mail can say it: without the marks of code, and with links written out. */
const plain = (markdown: string, publicUrl: string): string =>
  markdown.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, to: string) => `${label} (${to.startsWith('/') ? publicUrl : ''}${to})`).replaceAll('`', '')

/** Each paragraph and each line of a list stands by itself. */
const partsOf = (body: string): string[] => body.split(/\n{2,}|\n(?=(?:[-*]|\d+\.) )/)

/** The letter about an entry of the changelog. */
export const changeLetter = ({ publicUrl }: LetterContext, { entry, title, body }: MailFacts['change']): Letter => ({
  subject: `Changelog: ${plain(title, publicUrl)}`,
  parts: [
    ...partsOf(body).map((part) => text(plain(part, publicUrl))),
    action('Read the changelog', `${publicUrl}/changelog#${entry}`),
    text('You get this because your account has a key that works. Changes of the API are announced this way and in the changelog.'),
  ],
})
