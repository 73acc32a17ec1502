import { Tag } from '#components/ui/tag.tsx'
import type { AlertChange, AlertFrequency, AlertKind } from '#server/api/contract/market-alerts.ts'

/** Values of the form: text by field name. */
export type TypedAlert = {
  readonly name: string
  readonly kind: AlertKind
  readonly type: string
  readonly minRate: string
  readonly provider: string
  readonly q: string
  readonly filter: string
  readonly providers: string
  readonly frequency: AlertFrequency
  readonly delivery: readonly ('email' | 'webhook')[]
}

type Shown = {
  readonly kind: AlertKind
  readonly filter: Readonly<Record<string, string>>
  readonly providers: readonly string[]
  readonly frequency: AlertFrequency
  readonly byEmail: boolean
  readonly byWebhook: boolean
}

/** Describes what an alert watches, such as `type=easy-access, minRate=4.6`. */
export function watchedText({ kind, filter, providers }: Pick<Shown, 'kind' | 'filter' | 'providers'>): string {
  if (kind === 'bank-rate') return 'Bank Rate'
  if (kind === 'providers') return `Any change at ${providers.join(', ')}`
  return Object.entries(filter)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}

/** Describes how an alert is delivered, such as `Email, daily`. */
export function deliveryText({ frequency, byEmail, byWebhook }: Pick<Shown, 'frequency' | 'byEmail' | 'byWebhook'>): string {
  const email = frequency === 'daily' ? 'Email, daily' : 'Email, immediately'
  const parts = [byEmail ? email : '', byWebhook ? 'Webhook' : ''].filter((part) => part !== '')
  return parts.length === 0 ? 'Portal only' : parts.join(' · ')
}

export function AlertStateTag({ isPaused }: { isPaused: boolean }) {
  return isPaused ? <Tag tone="plain">Paused</Tag> : <Tag tone="good">Active</Tag>
}

const labels = {
  matched: 'New',
  unmatched: 'No longer matches',
  withdrawn: 'Withdrawn',
  rate_up: 'Rate up',
  rate_down: 'Rate down',
  terms_changed: 'Terms changed',
} as const satisfies Record<AlertChange['change'], string>

/** Describes a change, such as `Rate up: 4.50% → 4.65%`. */
export function changeText({ change, fromRate, toRate }: AlertChange): string {
  const from = fromRate === null || fromRate === toRate ? '' : `${fromRate}%`
  const rates = [from, toRate === null ? '' : `${toRate}%`].filter((part) => part !== '').join(' → ')
  return rates === '' ? labels[change] : `${labels[change]}: ${rates}`
}
