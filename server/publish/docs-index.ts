import type { Availability } from '../contract/endpoint.ts'
import { dataLicence } from '../contract/envelope.ts'
import { registry } from '../endpoints/registry.ts'
import { catalogue } from './catalogue.ts'
import { chargingRules } from './charging-rules.ts'
import { errorList } from './error-pages.ts'
import { limitLines } from './limits.ts'

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

/** The index of the documentation in Markdown: what there is, what it costs, what can go wrong, and where the pages are. `publicUrl` has no slash at the end. */
export function docsIndex(publicUrl: string, overrides: ReadonlyMap<string, Availability>): string {
  const limits = limitLines().map(({ name, perMinute, perDay, reach }) => `- ${name}: ${perMinute} requests a minute${perDayWords(perDay)}. ${reach}.`)
  return [
    '# Savings Rates Data API',
    '',
    `UK savings data by tool and by HTTP (${publicUrl}/v1), with the same key, the same prices and the same limits. Use of the data is governed by the Data Licence ${dataLicence}: show \`meta.attribution\` with them.`,
    '',
    '## Pages',
    '',
    `- [Prices and limits](${publicUrl}/docs/prices)`,
    ...errorList().map(({ code, status, when }) => `- [${code}](${publicUrl}/docs/errors/${code}): ${status}. ${when}`),
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
  ].join('\n')
}
