import { ChoiceField } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import type { ShownWebhook } from './webhook-detail.tsx'
import { percentagePoints } from './webhook-words.tsx'

export type Choices = {
  readonly types: readonly { readonly name: string; readonly when: string; readonly isFree: boolean }[]
  readonly accountTypes: readonly string[]
}

type Chosen = Pick<ShownWebhook, 'url' | 'description' | 'types' | 'providers' | 'accountTypes' | 'minChangeBp'>

const nothingYet: Chosen = { url: '', description: '', types: ['rate.changed'], providers: [], accountTypes: [], minChangeBp: null }

/** Where events go, and which: the same for a new endpoint and for one that is changed. */
export function WebhookFields({ types, accountTypes, chosen = nothingYet }: Choices & { chosen?: Chosen }) {
  return (
    <>
      <TextField
        name="url"
        label="Address"
        defaultValue={chosen.url}
        hint="Where we post events to, beginning with https://. It has to be reachable from the internet."
      />
      <TextField name="description" label="Name" isOptional defaultValue={chosen.description} hint="For you, to tell endpoints apart." />
      <ChoiceField
        kind="checkbox"
        name="types"
        legend="Which events?"
        chosen={chosen.types}
        choices={types.map(({ name, when, isFree }) => ({
          value: name,
          label: <code className="font-mono text-table">{name}</code>,
          hint: isFree ? `${when} Free, and what you choose below does not hold it back.` : when,
        }))}
      />
      <TextAreaField
        name="providers"
        label="Only these providers"
        isOptional
        defaultValue={chosen.providers.join('\n')}
        hint="One slug a line, as in /reference/providers. Empty: every provider."
      />
      <ChoiceField
        kind="checkbox"
        name="accountTypes"
        legend="Only these account types"
        hint="None chosen: all of them. Switch offers are of none of these types, so they come whatever you choose."
        chosen={chosen.accountTypes}
        choices={accountTypes.map((name) => ({ value: name, label: name }))}
      />
      <TextField
        name="minChange"
        label="Least rate change in percentage points"
        isOptional
        size="short"
        defaultValue={chosen.minChangeBp === null ? '' : percentagePoints(chosen.minChangeBp)}
        hint="Such as 0.25. It looks at rate.changed only, up and down. Empty: every change."
      />
    </>
  )
}
