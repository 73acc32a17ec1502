import type { DocsFacts } from '../docs/docs-facts.ts'
import { licencePage } from '../docs/docs-pages.ts'
import { type SiteDocument, siteDocuments } from './site-documents.ts'

const sections = ['Guides', 'Reference', 'Errors', 'Terms'] as const satisfies readonly SiteDocument['section'][]

/** The index of the site for programs that read text, in the form of llmstxt.org: every page as Markdown. */
export function llmsText({ publicUrl, licence }: DocsFacts): string {
  const newest = { ...licencePage(licence), section: 'Terms' as const }
  // A version that was published at the desk comes before those that come with the service.
  const documents = siteDocuments.some(({ path }) => path === newest.path) ? siteDocuments : [newest, ...siteDocuments]
  const parts = sections.map((section) => {
    const pages = documents.filter((document) => document.section === section)
    return `## ${section}\n\n${pages.map(({ path, title, description }) => `- [${title}](${publicUrl}${path}.md): ${description}`).join('\n')}`
  })
  return [
    '# Savings Rates Data API',
    '> UK savings data as JSON and as tools: rates, providers, offers, cards, exchange rates, market statistics and calculators. Every call is prepaid in credits; errors and test calls are free.',
    `- API: ${publicUrl}/v1, with the header \`Authorization: Bearer <API_KEY>\`\n- Tool server: ${publicUrl}/mcp, with the same key\n- OpenAPI: ${publicUrl}/api/developer/openapi.json`,
    ...parts,
    '',
  ].join('\n\n')
}
