'use client'

import { TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'

type Props = {
  /** Text of the credits that are lost. */
  balance: string
  /** Email address with which the account was opened, if the user signs in with another. */
  other: string | null
}

/** Form that closes the account. */
export function CloseForm({ balance, other }: Props) {
  return (
    <MutationForm mutation={useTRPC().security.closeAccount.mutationOptions()} name="close" onDone={({ next }) => goTo(next)}>
      <p className="text-pretty">
        {other === null
          ? `Your keys stop working immediately, you're signed out everywhere, and you lose your remaining balance of ${balance}.`
          : `The account's keys stop working immediately, and its remaining balance of ${balance} is lost. ${other} will no longer be able to sign in. You'll stay signed in.`}{' '}
        We keep receipts and the record of charges, as the law requires. We delete {other === null ? 'your' : "the account's"} name and email address
        immediately, and queued emails within 30 days. You can't undo this.
      </p>
      <TextField name="email" label="Type your email address to confirm" autoComplete="off" />
      <SubmitButton kind="danger">Close account</SubmitButton>
    </MutationForm>
  )
}
