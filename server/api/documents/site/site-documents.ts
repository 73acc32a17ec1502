import { productName } from '#server/api/contract/product-name.ts'
import { allEndpoints, type registry } from '#server/api/endpoints/registry.ts'
import { type DocsPage, docsText, guides, licencePage, licences, privacy, quickStart, terms } from '../docs/docs-pages.ts'
import { type ErrorPage, errorList, errorPage } from '../error-texts.ts'
import type { DocsData } from '../published-values.ts'
import { operationPath } from '../reference/operation-groups.ts'
import { operationPage } from '../reference/operation-page.ts'
import { errorMarkdown, operationMarkdown, pricesMarkdown, referenceMarkdown } from './page-markdown.ts'

/** Documentation page, as Markdown for the site, the search and llms.txt. */
export type SiteDocument = {
  readonly path: `/${string}`
  readonly title: string
  readonly description: string
  readonly section: 'Guides' | 'Reference' | 'Errors' | 'Terms'
  /** Text without the title. */
  readonly markdown: (facts: DocsData) => string | Promise<string>
}

const guidePage = (page: DocsPage, section: SiteDocument['section']): SiteDocument => ({ ...page, section, markdown: (facts) => docsText(page, facts) })

const prices: SiteDocument = {
  path: '/docs/prices',
  title: 'Prices',
  description: 'What each call costs, the scope it needs, and what is never charged.',
  section: 'Guides',
  markdown: pricesMarkdown,
}

const reference: SiteDocument = {
  path: '/reference',
  title: 'API reference',
  description: 'Every endpoint with its price and availability.',
  section: 'Reference',
  markdown: referenceMarkdown,
}

function operation(entry: (typeof registry)[number]): SiteDocument {
  const { method, path, summary } = entry
  const markdown = async (facts: DocsData) => operationMarkdown(await operationPage(entry, facts))
  return { path: operationPath(entry) as `/${string}`, title: `${method} ${path}`, description: summary, section: 'Reference', markdown }
}

function fault({ code, when }: Pick<ErrorPage, 'code' | 'when'>): SiteDocument {
  const markdown = ({ publicUrl }: DocsData) => errorMarkdown(errorPage(code, publicUrl) as ErrorPage)
  return { path: `/docs/errors/${code}`, title: code, description: when, section: 'Errors', markdown }
}

/** All documentation pages, in menu order. */
export const siteDocuments: readonly SiteDocument[] = [
  guidePage(quickStart, 'Guides'),
  ...guides.map((page) => guidePage(page, 'Guides')),
  prices,
  reference,
  ...allEndpoints.map(operation),
  ...errorList().map(fault),
  ...[...licences, terms, privacy].map((page) => guidePage(page, 'Terms')),
]

/** Returns the page at a path, or null. */
export function documentAt(path: string): SiteDocument | null {
  return siteDocuments.find((document) => document.path === path) ?? null
}

/** Returns a page as Markdown, including its title. */
export async function documentMarkdown({ title, description, markdown }: SiteDocument, facts: DocsData): Promise<string> {
  return `# ${title}\n\n${description}\n\n${await markdown(facts)}\n`
}

/** Sections of the documentation, in menu order. */
export const sections = ['Guides', 'Reference', 'Errors', 'Terms'] as const satisfies readonly SiteDocument['section'][]

/** Returns llms.txt (llmstxt.org), which links to the Markdown version of every page. */
export function llmsText({ publicUrl, licence }: DocsData): string {
  const newest = { ...licencePage(licence), section: 'Terms' as const }
  // A licence version published by an administrator comes before the bundled documents.
  const documents = siteDocuments.some(({ path }) => path === newest.path) ? siteDocuments : [newest, ...siteDocuments]
  const parts = sections.map((section) => {
    const pages = documents.filter((document) => document.section === section)
    return `## ${section}\n\n${pages.map(({ path, title, description }) => `- [${title}](${publicUrl}${path}.md): ${description}`).join('\n')}`
  })
  return [
    `# ${productName}`,
    '> UK savings data as JSON and as MCP tools: rates, providers, offers, cards, exchange rates, market statistics and calculators. Every call is prepaid in credits; errors and test calls are free.',
    `- API: ${publicUrl}/v1, with the header \`Authorization: Bearer <API_KEY>\`\n- MCP server: ${publicUrl}/mcp, with the same key\n- OpenAPI: ${publicUrl}/api/developer/openapi.json`,
    ...parts,
    '',
  ].join('\n\n')
}
