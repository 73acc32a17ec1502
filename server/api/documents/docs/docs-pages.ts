import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataLicence } from '#server/api/contract/envelope.ts'
import type { DocsData } from '../published-values.ts'
import { withValues } from './guide-values.ts'

/** Page of the documentation. Its text is the Markdown file of the same name in `content/guides`. */
export type DocsPage = {
  /** File name without extension. */
  readonly name: string
  readonly path: `/${string}`
  readonly title: string
  readonly description: string
}

const guide = (name: string, title: string, description: string): DocsPage => ({ name, path: `/docs/${name}`, title, description })

export const quickStart: DocsPage = {
  ...guide('quick-start', 'Quick start', 'Make your first call with curl, from code or with an MCP client.'),
  path: '/docs',
}

/** Guides by group, in reading order. */
const guideGroups: readonly { readonly name: string; readonly pages: readonly DocsPage[] }[] = [
  {
    name: 'Basics',
    pages: [
      guide('authentication', 'Authentication', 'One header, two kinds of key, and how to restrict a key.'),
      guide('credits', 'Credits and charging', 'What a call costs, where to find the charge, and how to cap it.'),
      guide('limits', 'Limits', 'Requests per minute and per day, and what to do when you reach a limit.'),
      guide('errors', 'Errors', 'Every error code, what it means and what to do next. Errors are never charged.'),
    ],
  },
  {
    name: 'Reading data',
    pages: [
      guide('paging', 'Lists and paging', 'Fetch the next page, all pages, or only the fields you need.'),
      guide('filters', 'Filters and sorting', 'Find products by rate, term, access or name, look up several at once, and choose their order.'),
      guide('snapshots', 'Snapshots', 'Download the whole market as it was on a given day, keep a copy up to date, and query past days.'),
      guide('formats', 'CSV and NDJSON', 'Lists as CSV and NDJSON, for spreadsheets and databases.'),
      guide('spreadsheets', 'Spreadsheets', 'Load rates into Google Sheets and Excel without putting your key in a cell.'),
      guide('conditional-requests', 'Conditional requests with ETag', 'Pay nothing when the data has not changed.'),
    ],
  },
  {
    name: 'Delivery and tools',
    pages: [
      guide('webhooks', 'Webhooks', 'The events we send to your server, and how to verify their signatures.'),
      guide('alerts', 'Alerts', 'Get an email or webhook when products start or stop matching a search, a provider changes a product, or Bank Rate moves.'),
      guide('tools', 'Tools', 'Every endpoint as a tool for Model Context Protocol (MCP) clients.'),
      guide('clients', 'Clients', 'TypeScript, Python, the command line, Postman, client generators and other ways to call the API.'),
    ],
  },
  {
    name: 'Policies',
    pages: [
      guide('versioning', 'Versioning', 'What stays stable within v1, and how we announce changes.'),
      guide('data', 'Data and attribution', 'Where the data comes from, how fresh it is, and the attribution to show with it.'),
    ],
  },
]

/** Guides in reading order. */
export const guides: readonly DocsPage[] = guideGroups.flatMap(({ pages }) => pages)

/** Returns the page of a Data Licence version. */
export const licencePage = (label: string): DocsPage => ({
  name: `licence-${label}`,
  path: `/licence/${label}`,
  title: `Data Licence ${label}`,
  description: 'What you may do with the data, and the attribution to show with it.',
})

/** Data Licence versions bundled with the service, newest first. Administrators can publish more. All versions remain available. */
export const licences: readonly DocsPage[] = [licencePage(dataLicence)]

export const terms: DocsPage = {
  name: 'terms',
  path: '/terms',
  title: 'Terms of use',
  description: 'How you may use your account, how credits work, and how an account ends.',
}
export const privacy: DocsPage = { name: 'privacy', path: '/privacy', title: 'Privacy', description: 'What we store about you, why, and for how long.' }

// Not import.meta.dirname: the portal's bundler doesn't support it. The service always runs in the project folder.
const folder = join(process.cwd(), 'content/guides')

const read = new Map<string, string>()

function getText(name: string): string {
  const known = read.get(name)
  if (known !== undefined) return known
  const text = readFileSync(join(folder, `${name}.md`), 'utf8')
  read.set(name, text)
  return text
}

/** Returns the Markdown of a page without its title, with all placeholders filled in. */
export function docsText({ name }: DocsPage, facts: DocsData): Promise<string> {
  return withValues(getText(name), facts)
}

type MenuLink = { readonly href: string; readonly name: string }

const link = ({ path, title }: { path: string; title: string }): MenuLink => ({ href: path, name: title })

export const docsMenu: readonly { readonly name: string; readonly links: readonly MenuLink[] }[] = [
  { name: 'Start', links: [link(quickStart), { href: '/reference/rates-list', name: 'Try it' }] },
  ...guideGroups.map(({ name, pages }) => ({ name, links: pages.map(link) })),
  {
    name: 'Reference',
    links: [
      { href: '/docs/prices', name: 'Prices' },
      { href: '/reference', name: 'API reference' },
      { href: '/changelog', name: 'Changelog' },
      { href: '/status', name: 'Status' },
    ],
  },
]

const inOrder = [quickStart, ...guides]

/** Returns the guides before and after a page, if there are any. */
export function getNeighbours(path: string): { previous?: { href: string; title: string }; next?: { href: string; title: string } } {
  const at = inOrder.findIndex((page) => page.path === path)
  const [before, after] = at < 0 ? [] : [inOrder[at - 1], inOrder[at + 1]]
  return { ...(before && { previous: { href: before.path, title: before.title } }), ...(after && { next: { href: after.path, title: after.title } }) }
}

/** Returns the second-level headings of a Markdown document. */
export function getParts(markdown: string): string[] {
  const outside = markdown.replace(/^```[\s\S]*?^```$/gm, '')
  return [...outside.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
}
