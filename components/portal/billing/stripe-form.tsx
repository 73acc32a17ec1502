'use client'

import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'

/** Opens Stripe's customer portal, which shows invoices and billing details. */
export function StripeForm() {
  return (
    <MutationForm
      mutation={useTRPC().billing.customerPage.mutationOptions()}
      name="stripe"
      onDone={(url) => (url === null ? "You don't have any billing details in Stripe yet. They're added when you first top up." : goTo(url))}
    >
      <SubmitButton kind="second">Manage billing in Stripe</SubmitButton>
    </MutationForm>
  )
}
