import { planNames, plans, type ScopeRule, scopeNames, scopes } from '#server/api/contract/access.ts'
import { maxAlerts } from '#server/api/contract/market-alerts.ts'
import { describeSampleWeek } from '#server/api/contract/sample-week.ts'
import { type AccountEventType, creditsPerEvent, events, eventTypes, isOfAccount, retryMinutes } from '#server/api/contract/webhooks.ts'
import { allEndpoints, registry } from '#server/api/endpoints/registry.ts'
import { catalogueLine } from '../catalogue.ts'
import { errorList } from '../error-texts.ts'
import { marketCosts } from '../market-costs.ts'
import type { DocsData } from '../published-values.ts'
import { operationPath } from '../reference/operation-groups.ts'
import { workedExample } from '../samples.ts'
import { publicFigures } from '../site/service-status.ts'
import { chargingRules, limitLines } from '../usage-rules.ts'
import { code, count, markdownList, markdownTable } from './write-markdown.ts'

const opens = (rule: ScopeRule, scope: string) => rule !== 'any-key' && [rule].flat().some((one) => one === scope)

/** Returns links to the unpaginated lists that accept `fields`, or to those that don't. */
function wholeLists(areTrimmed: boolean): string {
  const some = registry.filter(({ kind, fields }) => kind === 'whole' && fields.length > 0 === areTrimmed)
  const links = some.map((entry) => `[${code(entry.path)}](${operationPath(entry)})`)
  return links.length === 1 ? `${links[0]}` : `${links.slice(0, -1).join(', ')} and ${links.at(-1)}`
}

export const untrimmedWholeLists = (): string => wholeLists(false)
export const trimmedWholeLists = (): string => wholeLists(true)

/** Returns the table of scopes and the endpoints that each gives access to. */
export function scopeTable(): string {
  const getEndpoints = (scope: string) =>
    allEndpoints.filter((entry) => opens(entry.scope, scope)).map((entry) => `[${code(entry.path)}](${operationPath(entry)})`)
  return markdownTable(
    ['Scope', 'Grants access to'],
    scopeNames.map((scope) => [code(scope), `${scopes[scope]}: ${getEndpoints(scope).join(', ')}`]),
  )
}

export function chargingList(): string {
  return markdownList(chargingRules().map(({ title, text }) => `**${title}.** ${text}`))
}

const signed = (credits: number) => (credits < 0 ? `−${-credits}` : credits > 0 ? `+${credits}` : '0')

export function statementTable(): string {
  const rows = workedExample().map(({ what, answer, credits, balance }) => [what.includes('/') ? code(what) : what, answer, signed(credits), count(balance)])
  return markdownTable(['Call', 'Response', 'Credits', 'Balance'], rows, ['left', 'left', 'right', 'right'])
}

export function limitTable(): string {
  const rows = limitLines().map(({ name, perMinute, perDay, reach }) => [name, count(perMinute), perDay === null ? 'No limit' : count(perDay), reach])
  return markdownTable(['Plan', 'Per minute, per key', 'Per day, per account', 'Endpoints'], rows, ['left', 'right', 'right'])
}

/** Returns the rate limit headers of an example call: the first call of the minute and of the day, on the smallest plan. */
export function limitHeaders(): string {
  const { perMinute, perDay } = plans.hobby
  return [
    'HTTP/1.1 200 OK',
    `X-RateLimit-Limit: ${perMinute}`,
    `X-RateLimit-Remaining: ${perMinute - 1}`,
    'X-RateLimit-Reset: 42',
    `RateLimit-Policy: "minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`,
    `RateLimit: "minute";r=${perMinute - 1};t=42, "day";r=${perDay - 1};t=51642`,
  ].join('\n')
}

export function errorTable(): string {
  const rows = errorList().map(({ code: name, status, when }) => [String(status), `[${code(name)}](/docs/errors/${name})`, when])
  return markdownTable(['Status', 'Code', 'When'], rows)
}

/** Returns the table of all tools with their prices, including those that haven't launched. */
export function toolTable({ overrides }: DocsData): string {
  const rows = registry.map((entry) => [code(entry.tool), `[${entry.method} ${entry.path}](${operationPath(entry)})`, catalogueLine(entry, overrides).cost])
  return markdownTable(['Tool', 'Endpoint', 'Cost'], rows)
}

export function eventTable(): string {
  const rows = eventTypes.map((type) => [code(type), events[type].when, events[type].carries, isOfAccount(type) ? 'Free' : String(creditsPerEvent)])
  return markdownTable(['Type', 'When', '`data`', 'Credits'], rows, ['left', 'left', 'left', 'right'])
}

/** Returns the maximum number of alerts of each plan as text. */
export function alertLimits(): string {
  return planNames.map((plan) => `${maxAlerts[plan]} alerts on ${plans[plan].label}`).join(', ')
}

/** Returns a table of the fields of an account event. */
export function accountEventTable(type: AccountEventType): string {
  const rows = Object.entries(events[type].shape.shape).map(([name, { description }]) => [code(name), description ?? ''])
  return markdownTable(['Field', 'Description'], rows)
}

/** Returns the webhook retry delays as text: `1 minute, 5 minutes, … and 12 hours`. */
export function retryWaits(): string {
  const plural = (amount: number, unit: string) => `${amount} ${unit}${amount === 1 ? '' : 's'}`
  const waits = retryMinutes.map((minutes) => (minutes < 60 ? plural(minutes, 'minute') : plural(minutes / 60, 'hour')))
  return `${waits.slice(0, -1).join(', ')} and ${waits.at(-1)}`
}

/** Returns the table of the ways to read the whole market, with their costs. */
export function marketCostTable({ live }: DocsData): string {
  const rows = marketCosts(live).map(({ need, path, href, basis, credits }) => [need, `[${code(path)}](${href})`, `${count(credits)} (${basis})`])
  return markdownTable(['You need', 'Call', 'Credits'], rows)
}

/** Returns the table of the changes of the sample market on each weekday. */
export function sampleWeekTable(): string {
  const list = (keys: readonly string[]) => keys.map(code).join(', ')
  return markdownTable(
    ['Day (UTC)', 'Added', 'Withdrawn', 'Changed'],
    describeSampleWeek().map(({ weekday, added, withdrawn, changed, offers }) => [weekday, code(added), code(withdrawn), list([...changed, ...offers])]),
  )
}

/** Returns the table of public statistics with their publishers and the dates of their latest values. */
export function sourceTable(facts: DocsData): string {
  const rows = publicFigures(facts).map(({ figure, source, asOf, isStale }) => [
    figure,
    source,
    asOf === null ? 'Never' : `${asOf}${isStale ? ' (out of date)' : ''}`,
  ])
  return markdownTable(['Figure', 'Source', 'As of'], rows)
}
