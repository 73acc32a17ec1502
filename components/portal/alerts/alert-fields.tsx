import { useWatch } from 'react-hook-form'
import { CheckboxGroup, RadioGroup, SelectField } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import type { TypedAlert } from './alert-labels.tsx'

export type AlertChoices = {
  readonly kinds: readonly { readonly value: string; readonly label: string }[]
  readonly types: readonly { readonly value: string; readonly label: string }[]
}

/** Fields of a search, with the filters of /rates. */
function SearchFields({ types, chosen }: { types: AlertChoices['types']; chosen: TypedAlert }) {
  return (
    <>
      <SelectField
        name="type"
        label="Account type"
        isOptional
        defaultValue={chosen.type}
        first={{ value: '', label: 'All' }}
        groups={[{ name: 'Account types', choices: types }]}
      />
      <TextField
        name="minRate"
        label="Minimum rate in percent"
        isOptional
        size="short"
        inputMode="decimal"
        defaultValue={chosen.minRate}
        hint="For example, 4.6."
      />
      <TextField name="provider" label="Provider" isOptional defaultValue={chosen.provider} hint="A slug, as in /reference/providers." />
      <TextField name="q" label="Name contains" isOptional defaultValue={chosen.q} hint="Words from the account or provider name." />
      <TextField
        name="filter"
        label="More filters"
        isOptional
        isCode
        defaultValue={chosen.filter}
        hint="Other parameters of /rates, for example: maxNoticeDays=30&newCustomersOnly=false"
      />
    </>
  )
}

/** Fields of an alert, for creating and editing. */
export function AlertFields({ kinds, types, chosen }: AlertChoices & { chosen: TypedAlert }) {
  const kind = useWatch({ name: 'kind', defaultValue: chosen.kind })
  return (
    <>
      <TextField name="name" label="Name" defaultValue={chosen.name} hint="Used as the email subject." />
      <RadioGroup name="kind" legend="What to track" chosen={[chosen.kind]} choices={kinds} />
      {kind === 'products' ? <SearchFields types={types} chosen={chosen} /> : null}
      {kind === 'providers' ? (
        <TextAreaField
          name="providers"
          isCode
          label="Providers"
          defaultValue={chosen.providers}
          hint="One slug per line, as in /reference/providers. At most 20."
        />
      ) : null}
      <CheckboxGroup
        name="delivery"
        legend="How to notify"
        chosen={chosen.delivery}
        choices={[
          { value: 'email', label: 'Email', hint: 'Sent to your own address.' },
          { value: 'webhook', label: 'Webhook', hint: 'Sends an alert.matched event to every endpoint subscribed to that event. Free.' },
        ]}
      />
      <RadioGroup
        name="frequency"
        legend="When to email"
        chosen={[chosen.frequency]}
        choices={[
          { value: 'immediate', label: 'Immediately', hint: 'Several changes in a short time are combined.' },
          { value: 'daily', label: 'Daily', hint: 'One email at 08:00 UK time with the changes of all your daily alerts.' },
        ]}
      />
    </>
  )
}
