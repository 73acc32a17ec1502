'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { HiddenField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { toast } from '#components/ui/toast.tsx'
import { ExpiryField, LiveKeyFields, type ScopeLine, ScopesField } from './key-fields.tsx'

type Props = { id: string; scopes: readonly ScopeLine[]; close: () => void }

/** Form that changes the name, permissions and limits of a key. */
export function EditKeyForm({ id, scopes, close }: Props) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { data: key } = useSuspenseQuery(trpc.keys.read.queryOptions({ id }))
  const isLive = key.mode === 'live'
  return (
    <section aria-labelledby="edit" className="max-w-176 rounded-panel border border-line bg-surface p-4 sm:p-5">
      <h2 id="edit" className="text-h2 font-semibold">
        Edit key
      </h2>
      <p className="mt-1 mb-4 text-pretty text-ink-2">
        Changes apply from the next call. The key itself stays the same.
        {isLive ? ' If you give it more access, we may ask for your password or a code.' : ''}
      </p>
      <MutationForm
        mutation={trpc.keys.update.mutationOptions()}
        name="edit"
        onDone={async () => {
          await client.invalidateQueries(trpc.keys.pathFilter())
          toast('Key updated')
          close()
        }}
      >
        <HiddenField name="id" value={id} />
        <TextField name="name" label="Name" defaultValue={key.name} />
        <ScopesField scopes={scopes} chosen={key.scopes} />
        {isLive ? <LiveKeyFields {...key} /> : null}
        <ExpiryField {...key} />
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton>Save key</SubmitButton>
          <Button kind="second" type="button" onClick={close}>
            Cancel
          </Button>
        </div>
      </MutationForm>
    </section>
  )
}
