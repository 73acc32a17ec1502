import type { Availability } from '#server/api/contract/endpoint.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { catalogue } from './catalogue.ts'
import { chargingRules } from './charging-rules.ts'
import { guides, licencePage, quickStart } from './docs/docs-pages.ts'
import { errorList } from './error-pages.ts'
import { limitLines } from './limits.ts'
import type { PublishedFacts } from './published-facts.ts'

const toolOf = new Map(registry.map(({ id, tool }) => [id, tool]))

function endpointLines(overrides: ReadonlyMap<string, Availability>): string[] {
  return catalogue(overrides).map(({ id, method, path, summary, cost, scope, availability, plan }) => {
    const facts = [cost, scope, availability.toLowerCase(), ...(plan === null ? [] : [`${plan} plan`])]
    return `- \`${toolOf.get(id)}\` (${method} ${path}): ${summary} ${facts.join(', ')}.`
  })
}

function perDayWords(perDay: number | null): string {
  return perDay === null ? '' : `, ${perDay} a day`
}

/** What the index depends on besides the registry. */
type IndexFacts = Pick<PublishedFacts, 'publicUrl' | 'overrides' | 'licence'>

/** Pages in the order in which one reads them, as Markdown, which is what a tool client can use. */
function pageLines({ publicUrl, licence }: IndexFacts): string[] {
  const texts = [quickStart, ...guides, licencePage(licence)].map(({ path, title, description }) => `- [${title}](${publicUrl}${path}.md): ${description}`)
  return [
    ...texts,
    `- [Prices and limits](${publicUrl}/docs/prices.md)`,
    `- [API reference](${publicUrl}/reference.md): every endpoint, with a page of its own.`,
    `- [Changelog](${publicUrl}/changelog), as a feed too: ${publicUrl}/changelog.xml`,
    `- [All pages as Markdown](${publicUrl}/llms.txt)`,
  ]
}

const documentLines = (publicUrl: string) => [
  `- [OpenAPI 3.1](${publicUrl}/api/developer/openapi.json): all endpoints, for programs.`,
  `- [Postman collection](${publicUrl}/api/developer/postman.json)`,
]

/**
 * The index of the documentation in Markdown: what there is, what it costs, what can go wrong, and where pages and documents are. `publicUrl` has no
 * slash at the end.
 */
export function docsIndex(facts: IndexFacts): string {
  const { publicUrl, overrides, licence } = facts
  const limits = limitLines().map(({ name, perMinute, perDay, reach }) => `- ${name}: ${perMinute} requests a minute${perDayWords(perDay)}. ${reach}.`)
  return [
    '# Savings Rates Data API',
    '',
    `UK savings data by tool and by HTTP (${publicUrl}/v1), with the same key, the same prices and the same limits. Use of the data is governed by the Data Licence ${licence}: show \`meta.attribution\` with them.`,
    '',
    '## Pages',
    '',
    ...pageLines(facts),
    '',
    '## Documents for programs',
    '',
    ...documentLines(publicUrl),
    '',
    '## Tools and endpoints',
    '',
    ...endpointLines(overrides),
    '',
    '## Charging',
    '',
    ...chargingRules().map(({ title, text }) => `- ${title}: ${text}`),
    '',
    '## Limits',
    '',
    ...limits,
    '',
    '## Errors',
    '',
    ...errorList().map(({ code, status, when }) => `- [${code}](${publicUrl}/docs/errors/${code}.md): ${status}. ${when}`),
    '',
  ].join('\n')
}
