import { Tag } from '#components/ui/tag.tsx'
import { accountTypes } from '#server/api/contract/account-types.ts'
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

const typeLabels: Readonly<Record<string, { readonly label: string }>> = accountTypes

/** Plain words for the common filters. Others are shown as parameters of /rates. */
const filterTexts: Readonly<Record<string, (value: string) => string>> = {
  type: (value) => typeLabels[value]?.label ?? value,
  minRate: (value) => `at least ${value}%`,
  provider: (value) => `provider ${value}`,
  q: (value) => `name contains “${value}”`,
}

/** Describes the filters of an alert, such as `Easy access, at least 4.6%`. */
export function watchedText({ kind, filter, providers }: Pick<Shown, 'kind' | 'filter' | 'providers'>): string {
  if (kind === 'bank-rate') return 'Bank Rate'
  if (kind === 'providers') return `Any change at ${providers.join(', ')}`
  const text = Object.entries(filter)
    .map(([name, value]) => filterTexts[name]?.(value) ?? `${name}=${value}`)
    .join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
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

/** Names the product and the kind of a change, such as `Harrow Bank Easy Access Saver Rate up`. */
export function ChangeName({ change: { change, provider, accountName } }: { change: AlertChange }) {
  return (
    <>
      <span className="font-semibold">
        {provider === null ? '' : `${provider} `}
        {accountName}
      </span>{' '}
      <span className="text-note text-ink-2">{labels[change]}</span>
    </>
  )
}

/** Returns the rates of a change, such as `4.50% → 4.65%`. Empty if it has none. */
export function changedRates({ fromRate, toRate }: AlertChange): string {
  const from = fromRate === null || fromRate === toRate ? '' : `${fromRate}%`
  return [from, toRate === null ? '' : `${toRate}%`].filter((part) => part !== '').join(' → ')
}
