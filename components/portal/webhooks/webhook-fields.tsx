import { CheckboxGroup } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { webhookPorts } from '#server/api/contract/webhooks.ts'
import type { ShownWebhook } from './webhook-detail.tsx'
import { percentagePoints } from './webhook-labels.tsx'

export type Choices = {
  readonly types: readonly { readonly name: string; readonly when: string; readonly isFree: boolean }[]
  readonly accountTypes: readonly string[]
}

type Chosen = Pick<ShownWebhook, 'url' | 'description' | 'types' | 'providers' | 'accountTypes' | 'minChangeBp'>

const nothingYet: Chosen = { url: '', description: '', types: ['rate.changed'], providers: [], accountTypes: [], minChangeBp: null }

/** Fields of an endpoint, for creating and editing. */
export function WebhookFields({ types, accountTypes, chosen = nothingYet }: Choices & { chosen?: Chosen }) {
  return (
    <>
      <TextField
        name="url"
        label="URL"
        defaultValue={chosen.url}
        hint={
          <>
            We send events to this URL. It must start with https://, be reachable from the internet and use port {webhookPorts['https:'].join(' or ')}. For a
            server on your own machine,{' '}
            <a className="prose-link" href="/docs/webhooks#test-on-your-own-machine">
              use savings-rates listen
            </a>
            .
          </>
        }
      />
      <TextField name="description" label="Name" isOptional defaultValue={chosen.description} hint="For example, “Production”." />
      <CheckboxGroup
        name="types"
        legend="Events"
        chosen={chosen.types}
        choices={types.map(({ name, when, isFree }) => ({
          value: name,
          label: <code className="font-mono text-table">{name}</code>,
          hint: isFree ? `${when} Free. Not affected by the filters below.` : when,
        }))}
      />
      <TextAreaField
        name="providers"
        isCode
        label="Only these providers"
        isOptional
        defaultValue={chosen.providers.join('\n')}
        hint="One slug per line, as in /reference/providers. Leave empty for all."
      />
      <CheckboxGroup
        name="accountTypes"
        legend="Only these account types"
        isGrid
        hint="Leave empty for all. Doesn't affect switch offers."
        chosen={chosen.accountTypes}
        choices={accountTypes.map((name) => ({ value: name, label: name }))}
      />
      <TextField
        name="minChange"
        label="Minimum rate change in percentage points"
        isOptional
        size="short"
        defaultValue={chosen.minChangeBp === null ? '' : percentagePoints(chosen.minChangeBp)}
        hint="For example, 0.25. Applies to rate.changed events, for rises and falls. Leave empty for all changes."
      />
    </>
  )
}
