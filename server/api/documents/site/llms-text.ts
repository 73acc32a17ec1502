import type { DocsData } from '../docs/docs-data.ts'
import { licencePage } from '../docs/docs-pages.ts'
import { type SiteDocument, siteDocuments } from './site-documents.ts'

const sections = ['Guides', 'Reference', 'Errors', 'Terms'] as const satisfies readonly SiteDocument['section'][]

/** Returns llms.txt (llmstxt.org), which links to the Markdown version of every page. */
export function llmsText({ publicUrl, licence }: DocsData): string {
  const newest = { ...licencePage(licence), section: 'Terms' as const }
  // A version published by an administrator comes before the bundled ones.
  const documents = siteDocuments.some(({ path }) => path === newest.path) ? siteDocuments : [newest, ...siteDocuments]
  const parts = sections.map((section) => {
    const pages = documents.filter((document) => document.section === section)
    return `## ${section}\n\n${pages.map(({ path, title, description }) => `- [${title}](${publicUrl}${path}.md): ${description}`).join('\n')}`
  })
  return [
    '# Savings Rates Data API',
    '> UK savings data as JSON and as MCP tools: rates, providers, offers, cards, exchange rates, market statistics and calculators. Every call is prepaid in credits; errors and test calls are free.',
    `- API: ${publicUrl}/v1, with the header \`Authorization: Bearer <API_KEY>\`\n- MCP server: ${publicUrl}/mcp, with the same key\n- OpenAPI: ${publicUrl}/api/developer/openapi.json`,
    ...parts,
    '',
  ].join('\n\n')
}
