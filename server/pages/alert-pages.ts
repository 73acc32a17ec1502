import { cache } from 'react'
import type { AlertChoices } from '#components/portal/alerts/alert-fields.tsx'
import type { TypedAlert } from '#components/portal/alerts/alert-labels.tsx'
import type { Example } from '#components/portal/alerts/alert-list.tsx'
import { accountTypes, accountTypeValues } from '#server/api/contract/account-types.ts'
import { alertKindNames, alertKinds } from '#server/api/contract/market-alerts.ts'
import { nextService } from '#server/runtime/next-service.ts'
import { found } from './load.ts'
import { portalCaller } from './portal-caller.ts'

/** Returns an alert of the current account, cached per request; null if it doesn't exist. */
export const getAlert = cache(async (id: string) => found((await portalCaller()).alerts.read({ id })))

/** Kinds of alert and account types that can be selected. */
export const alertChoices: AlertChoices = {
  kinds: alertKindNames.map((value) => ({ value, label: alertKinds[value] })),
  types: accountTypeValues.filter((value) => value !== 'all').map((value) => ({ value, label: accountTypes[value].label })),
}

const empty: TypedAlert = {
  name: '',
  kind: 'products',
  type: '',
  minRate: '',
  provider: '',
  q: '',
  filter: '',
  providers: '',
  frequency: 'immediate',
  delivery: ['email'],
}

/** Alerts to start from, with their descriptions. */
const examples = {
  'easy-access': {
    text: 'Products that reach the rate, and later changes to them.',
    values: { name: 'Easy access rates', type: 'easy-access', minRate: '4.6' },
  },
  providers: {
    text: 'New products, rates, terms and withdrawals, once a day.',
    values: { name: 'Changes at five providers', kind: 'providers', frequency: 'daily' },
  },
  'bank-rate': { text: 'Every change by the Bank of England.', values: { name: 'Bank Rate', kind: 'bank-rate' } },
} as const satisfies Record<string, { text: string; values: Partial<TypedAlert> & { name: string } }>

export const alertExamples: readonly Example[] = Object.entries(examples).map(([id, { text, values }]) => ({ id, name: values.name, text }))

const exampleProviders = 5

/** Returns the values of a new alert, from an example if one is named. */
export async function newAlertValues(example: unknown): Promise<TypedAlert> {
  const named = Object.entries(examples).find(([id]) => id === example)?.[1]
  if (named === undefined) return empty
  if (named !== examples.providers) return { ...empty, ...named.values }
  const providers = (await nextService()).market().dataset('live').providers().slice(0, exampleProviders)
  return { ...empty, ...named.values, providers: providers.map(({ slug }) => slug).join('\n') }
}

type StoredAlert = NonNullable<Awaited<ReturnType<typeof getAlert>>>

/** Returns the values of the form for an existing alert. */
export function typedValues({ name, kind, filter, providers, frequency, byEmail, byWebhook }: StoredAlert): TypedAlert {
  const { type = '', minRate = '', provider = '', q = '', ...others } = filter
  const delivery = [...(byEmail ? (['email'] as const) : []), ...(byWebhook ? (['webhook'] as const) : [])]
  return { name, kind, type, minRate, provider, q, filter: new URLSearchParams(others).toString(), providers: providers.join('\n'), frequency, delivery }
}
