import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataLicence } from '#server/api/contract/envelope.ts'
import type { DocsFacts } from './docs-facts.ts'
import { withValues } from './guide-values.ts'

/** A page of words. Its text is the Markdown file of the same name in `guides/`. */
export type DocsPage = {
  /** Name of the file, without its ending. */
  readonly name: string
  readonly path: `/${string}`
  readonly title: string
  readonly description: string
}

const guide = (name: string, title: string, description: string): DocsPage => ({ name, path: `/docs/${name}`, title, description })

export const quickStart: DocsPage = {
  ...guide('quick-start', 'Quick start', 'A key, a call, an answer: in curl, TypeScript, Python or a tool client.'),
  path: '/docs',
}

/** The guides, in the order in which one reads them. */
export const guides: readonly DocsPage[] = [
  guide('authentication', 'Authentication', 'One header, two kinds of key, and what a key can be held to.'),
  guide('credits', 'Credits and charging', 'What a call costs, where the charge is told, and how to keep it below a ceiling.'),
  guide('paging', 'Lists and paging', 'Get the next page, all pages, or only the fields you need.'),
  guide('conditional-requests', 'Conditional requests', 'An answer that you already have is free.'),
  guide('limits', 'Limits', 'How many requests a minute and a day, and what to do when they are used up.'),
  guide('errors', 'Errors', 'Every error code, what it means and what to do next. Errors are never charged.'),
  guide('webhooks', 'Webhooks', 'What your server will be told, and how to check that it was us.'),
  guide('tools', 'Tools', 'The same endpoints as tools, for clients of the Model Context Protocol.'),
  guide('versioning', 'Versioning', 'What stays within v1, and how you hear of what changes.'),
  guide('data', 'Data and attribution', 'Where the data come from, how fresh they are, and the line to show with them.'),
]

/** A version of the Data Licence. */
export const licencePage = (label: string): DocsPage => ({
  name: `licence-${label}`,
  path: `/licence/${label}`,
  title: `Data Licence ${label}`,
  description: 'What you may do with the data, and the line to show with them.',
})

/** Versions that come with the service, newest first; others were published at the desk. All stay readable. */
export const licences: readonly DocsPage[] = [licencePage(dataLicence)]

/** How an account is used and paid for, and what is kept about whoever has one. */
export const terms: DocsPage = {
  name: 'terms',
  path: '/terms',
  title: 'Terms of use',
  description: 'How an account is used, what credits are, and when it ends.',
}
export const privacy: DocsPage = { name: 'privacy', path: '/privacy', title: 'Privacy', description: 'What we keep about you, what for, and for how long.' }

// Not import.meta.dirname: the bundler of the portal does not know it. The service always runs in the folder of the project.
const folder = join(process.cwd(), 'content/guides')

const read = new Map<string, string>()

function textOf(name: string): string {
  const known = read.get(name)
  if (known !== undefined) return known
  const text = readFileSync(join(folder, `${name}.md`), 'utf8')
  read.set(name, text)
  return text
}

/** The text of a page as Markdown, with every price, limit, code and name put in; without its title. */
export function docsText({ name }: DocsPage, facts: DocsFacts): Promise<string> {
  return withValues(textOf(name), facts)
}
