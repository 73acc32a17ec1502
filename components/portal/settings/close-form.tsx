'use client'

import { TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'

/** Form that closes the account. `balance` is the text of the credits that are lost. */
export function CloseForm({ balance }: { balance: string }) {
  return (
    <MutationForm mutation={useTRPC().security.closeAccount.mutationOptions()} name="close" onDone={({ next }) => goTo(next)}>
      <p className="text-pretty">
        Your keys stop working immediately, you're signed out everywhere, and your remaining {balance} are lost. We keep receipts and the record of charges, as
        the law requires. We delete your name and email address, and emails to you are removed from our mail queue within 30 days. You can't undo this.
      </p>
      <TextField name="email" label="Type your email address to confirm" autoComplete="off" />
      <SubmitButton kind="danger">Close account</SubmitButton>
    </MutationForm>
  )
}
