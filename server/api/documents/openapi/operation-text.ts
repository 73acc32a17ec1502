import { plans } from '#server/api/contract/plans.ts'
import { availabilityNow, catalogue } from '../catalogue.ts'
import { chargingRules } from '../charging-rules.ts'
import { limitLines } from '../limits.ts'
import type { PublishedValues } from '../published-values.ts'
import type { Entry } from './names.ts'

const paragraphs = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined && part !== '').join('\n\n')

const code = (text: string) => `\`${text}\``

function costText({ price }: Entry, cost: string, money: string | null): string {
  if (price.credits === 0) return 'Free.'
  return `Costs ${cost} (${money}). Test keys are never charged.`
}

function scopeText({ scope }: Entry): string {
  if (scope === 'any-key') return 'Works with any key.'
  if (typeof scope === 'string') return `Needs the scope ${code(scope)}.`
  return `Needs one of these scopes: ${scope.map(code).join(', ')}.`
}

function planText({ plan }: Entry): string {
  return plan === undefined
    ? ''
    : ` Live keys need the ${plans[plan].label} plan; on a lower plan they get ${code('plan_upgrade_required')} and are not charged.`
}

function availabilityText(entry: Entry, facts: PublishedValues, opensAs: string | null): string {
  const available = availabilityNow(entry, facts.overrides)
  if (available === 'coming-soon') {
    const later = opensAs === null ? '' : ` It will be ${opensAs === 'Open' ? 'open to live and test keys' : 'open to test keys first'}.`
    return `Coming soon: announced but not launched. Calls return 404 ${code('not_found')}.${later}`
  }
  const sample = entry.sampled ? ' Test keys read sample data from fictional providers.' : ''
  if (available === 'open') return `Open to live and test keys.${sample}`
  return `Open to test keys only for now: live keys get ${code('endpoint_restricted')} and are not charged.${sample}`
}

/** Returns the description of an operation: purpose, price and availability. */
export function operationText(entry: Entry, facts: PublishedValues): string {
  const line = catalogue(facts.overrides).find(({ id }) => id === entry.id)
  if (!line) throw new Error(`${entry.id} is not in the catalogue.`)
  const { description, when } = entry
  return paragraphs(
    description,
    when === undefined ? undefined : `Use it ${when.endsWith('.') ? when : `${when}.`}`,
    `${costText(entry, line.cost, line.money)} ${scopeText(entry)}${planText(entry)}`,
    availabilityText(entry, facts, line.opensAs),
  )
}

const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n')

/** Returns the introduction of the document. */
export function introduction({ publicUrl, licence }: PublishedValues): string {
  const limits = limitLines().map(({ name, perMinute, perDay, reach }) => {
    const day = perDay === null ? 'no daily limit' : `${perDay.toLocaleString('en-GB')} per day`
    return `**${name}**: ${perMinute} requests per minute, ${day}. ${reach}.`
  })
  return paragraphs(
    'UK savings rates, providers, offers, cards and market statistics as JSON. Every call is prepaid in service credits.',
    'Send your key as `Authorization: Bearer <API_KEY>`. Test keys (`svc_test_…`) read sample data from fictional providers and are never charged; live keys (`svc_live_…`) read real data and spend credits.',
    'Every 2xx response is an envelope `{ data, meta }`; every error is JSON with `error`, `message`, `requestId` and `docs`.',
    `## Charging\n\n${list(chargingRules().map(({ title, text }) => `**${title}**: ${text}`))}`,
    `## Limits\n\n${list(limits)}`,
    "## Versioning\n\nWithin `v1`, fields, endpoints and parameters are only ever added: ignore fields that you don't know. Breaking changes ship as `v2`, and `v1` then sends the headers `Deprecation` and `Sunset` for at least six months.",
    `Use of the data is governed by the Data Licence ${licence}. Changes are announced in the [changelog](${publicUrl}/changelog).`,
  )
}
