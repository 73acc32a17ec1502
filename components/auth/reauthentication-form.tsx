'use client'

import { HiddenField } from '#components/forms/field.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { TRPCQueries, useTRPC } from '#components/trpc/trpc-provider.tsx'
import type { Proof } from '#server/api/contract/field-errors.ts'

type Props = { proof: Proof; next: string }

function Fields({ proof, next }: Props) {
  return (
    <MutationForm mutation={useTRPC().security.requireRecent.mutationOptions()} proof={proof} onDone={(done) => goTo(done.next)}>
      <HiddenField name="next" value={next} />
    </MutationForm>
  )
}

/** Form that only confirms the identity of the signed-in user, then opens a page. */
export function ReauthenticationForm(props: Props) {
  return (
    <TRPCQueries>
      <Fields {...props} />
    </TRPCQueries>
  )
}
