import { registry } from '#server/api/endpoints/registry.ts'
import type { DocsFacts } from '../docs/docs-facts.ts'
import { type DocsPage, docsText, guides, licences, privacy, quickStart, terms } from '../docs/docs-pages.ts'
import { type ErrorPage, errorList, errorPage } from '../error-pages.ts'
import { operationMarkdown } from '../reference/operation-markdown.ts'
import { operationPage } from '../reference/operation-page.ts'
import { operationPath } from '../reference/operation-slug.ts'
import { errorMarkdown } from './error-markdown.ts'
import { pricesMarkdown } from './prices-markdown.ts'
import { referenceMarkdown } from './reference-markdown.ts'

/** A page of the site that is read, in one form for people, search and programs. */
export type SiteDocument = {
  readonly path: `/${string}`
  readonly title: string
  readonly description: string
  readonly section: 'Guides' | 'Reference' | 'Errors' | 'Terms'
  /** The text, without its title. */
  readonly markdown: (facts: DocsFacts) => string | Promise<string>
}

const words = (page: DocsPage, section: SiteDocument['section']): SiteDocument => ({ ...page, section, markdown: (facts) => docsText(page, facts) })

const prices: SiteDocument = {
  path: '/docs/prices',
  title: 'Prices',
  description: 'What each call costs, who can make it, and what is never charged.',
  section: 'Guides',
  markdown: pricesMarkdown,
}

const reference: SiteDocument = {
  path: '/reference',
  title: 'API reference',
  description: 'Every endpoint with its price, scope and availability.',
  section: 'Reference',
  markdown: referenceMarkdown,
}

function operation(entry: (typeof registry)[number]): SiteDocument {
  const { method, path, summary } = entry
  const markdown = async (facts: DocsFacts) => operationMarkdown(await operationPage(entry, facts))
  return { path: operationPath(entry) as `/${string}`, title: `${method} ${path}`, description: summary, section: 'Reference', markdown }
}

function fault({ code, when }: Pick<ErrorPage, 'code' | 'when'>): SiteDocument {
  const markdown = ({ publicUrl }: DocsFacts) => errorMarkdown(errorPage(code, publicUrl) as ErrorPage)
  return { path: `/docs/errors/${code}`, title: code, description: when, section: 'Errors', markdown }
}

/** Every page that there is a text of, in the order of the menus. */
export const siteDocuments: readonly SiteDocument[] = [
  words(quickStart, 'Guides'),
  ...guides.map((page) => words(page, 'Guides')),
  prices,
  reference,
  ...registry.map(operation),
  ...errorList().map(fault),
  ...[...licences, terms, privacy].map((page) => words(page, 'Terms')),
]

/** The document at a path of the site. */
export function documentAt(path: string): SiteDocument | null {
  return siteDocuments.find((document) => document.path === path) ?? null
}

/** A whole page as Markdown. */
export async function documentMarkdown({ title, description, markdown }: SiteDocument, facts: DocsFacts): Promise<string> {
  return `# ${title}\n\n${description}\n\n${await markdown(facts)}\n`
}
