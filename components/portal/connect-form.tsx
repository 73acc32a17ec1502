'use client'

import { useQueryClient } from '@tanstack/react-query'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import { HiddenField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import type { AuthorizationParameters } from '#server/api/contract/oauth.ts'
import { CapField, ExpiryField, type ScopeLine, ScopesField } from './key-fields.tsx'

type Props = {
  /** Name of the application. The key gets the same name. */
  name: string
  scopes: readonly ScopeLine[]
  /** Permissions that the application asks for. */
  chosen: readonly string[]
  firstMode: 'test' | 'live'
  /** Authorisation request, which the server checks again. */
  request: AuthorizationParameters
}

const maxKeyName = 60
/** Suggested monthly cap. An application that is controlled by a language model can make many calls. */
const suggestedCap = '100'

/** Form that approves an application's access, and returns the user to it. */
export function ConnectForm({ name, scopes, chosen, firstMode, request }: Props) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <div className="group/key">
      <MutationForm
        mutation={trpc.oauth.approve.mutationOptions()}
        toInput={(values) => ({ ...values, request })}
        onDone={async ({ url }) => {
          await client.invalidateQueries(trpc.keys.pathFilter())
          location.assign(url)
          // The URL scheme of an application opens the application and leaves this page open.
          return `Approved. Return to ${name}.`
        }}
      >
        <HiddenField name="name" value={name.slice(0, maxKeyName)} />
        <RadioGroup
          name="mode"
          legend="Data"
          chosen={[firstMode]}
          choices={[
            { value: 'test', label: 'Test', hint: 'Sample data with fictional banks. Free, 10 calls per minute.' },
            { value: 'live', label: 'Live', hint: 'Real data. Calls use credits.' },
          ]}
        />
        <ScopesField scopes={scopes} chosen={chosen} />
        <div className="hidden flex-col gap-5 group-has-[[value=live]:checked]/key:flex">
          <CapField defaultValue={suggestedCap} />
        </div>
        <ExpiryField />
        <p className="border-y border-line py-3 text-pretty">You can change or revoke this access at any time under Keys.</p>
        <SubmitButton>Approve</SubmitButton>
      </MutationForm>
    </div>
  )
}
