import type { Availability } from '#server/api/contract/endpoint.ts'
import { productName } from '#server/api/contract/product-name.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { catalogueLine } from './catalogue.ts'
import { guides, licencePage, quickStart } from './docs/docs-pages.ts'
import { errorList } from './error-texts.ts'
import type { PublishedValues } from './published-values.ts'
import { chargingRules, limitLines } from './usage-rules.ts'

function endpointLines(overrides: ReadonlyMap<string, Availability>): string[] {
  return registry.map((entry) => {
    const { method, path, summary, cost, scope, availability, plan } = catalogueLine(entry, overrides)
    const facts = [cost, scope, availability.toLowerCase(), ...(plan === null ? [] : [`${plan} plan`])]
    return `- \`${entry.tool}\` (${method} ${path}): ${summary} ${facts.join(', ')}.`
  })
}

function formatPerDay(perDay: number | null): string {
  return perDay === null ? '' : `, ${perDay} per day`
}

/** Input of the index, in addition to the registry. */
type IndexData = Pick<PublishedValues, 'publicUrl' | 'overrides' | 'licence'>

/** Returns links to the Markdown version of each page, in reading order. */
function pageLines({ publicUrl, licence }: IndexData): string[] {
  const texts = [quickStart, ...guides, licencePage(licence)].map(({ path, title, description }) => `- [${title}](${publicUrl}${path}.md): ${description}`)
  return [
    ...texts,
    `- [Prices and limits](${publicUrl}/docs/prices.md)`,
    `- [API reference](${publicUrl}/reference.md): one page per endpoint.`,
    `- [Changelog](${publicUrl}/changelog), also as a feed: ${publicUrl}/changelog.xml`,
    `- [All pages as Markdown](${publicUrl}/llms.txt)`,
  ]
}

const documentLines = (publicUrl: string) => [
  `- [OpenAPI 3.1](${publicUrl}/api/developer/openapi.json): all endpoints, machine-readable.`,
  `- [Postman collection](${publicUrl}/api/developer/postman.json) and [environment](${publicUrl}/api/developer/postman-environment.json)`,
]

/**
 * Returns the index of the documentation as Markdown: endpoints, prices, limits, errors, and links to pages and documents. `publicUrl` has no trailing
 * slash.
 */
export function docsIndex(facts: IndexData): string {
  const { publicUrl, overrides, licence } = facts
  const limits = limitLines().map(({ name, perMinute, perDay, reach }) => `- ${name}: ${perMinute} requests per minute${formatPerDay(perDay)}. ${reach}.`)
  return [
    `# ${productName}`,
    '',
    `UK savings data over MCP and HTTP (${publicUrl}/v1), with the same key, prices and limits. Use of the data is governed by the Data Licence ${licence}: show \`meta.attribution\` wherever you display it.`,
    '',
    '## Pages',
    '',
    ...pageLines(facts),
    '',
    '## Machine-readable documents',
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
