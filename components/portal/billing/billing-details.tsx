'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField } from '#components/forms/choice-field.tsx'
import { TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { toast } from '#components/ui/toast.tsx'
import type { BillingDetails } from '#server/api/contract/billing-details.ts'
import { Fact } from '../fact.tsx'

type Country = { readonly value: string; readonly label: string }

const none = 'Not entered'

/** Billing details as rows. Missing details are shown as such, because an accountant looks for them here. */
function DetailList({ details, email, countries }: { details: BillingDetails | null; email: string; countries: readonly Country[] }) {
  const country = countries.find(({ value }) => value === details?.country)?.label ?? ''
  const missing = <span className="text-ink-2">{none}</span>
  const address = details && [details.line1, details.line2, `${details.city} ${details.postcode}`.trim(), country].filter((line) => line !== '').join(', ')
  return (
    <dl className="border-t border-line">
      <Fact name="Company or name">{details?.name ?? missing}</Fact>
      <Fact name="Address">{address ?? missing}</Fact>
      <Fact name="VAT number">{details === null || details.vatNumber === '' ? missing : details.vatNumber}</Fact>
      <Fact name="Email for receipts">{email}</Fact>
    </dl>
  )
}

const short = { size: 'short' } as const

function DetailsForm({ details, countries, onDone }: { details: BillingDetails | null; countries: readonly Country[]; onDone: () => unknown }) {
  const typed = (field: keyof BillingDetails) => ({ name: field, defaultValue: details?.[field] ?? '' })
  return (
    <MutationForm mutation={useTRPC().billing.setDetails.mutationOptions()} name="details" onDone={onDone}>
      <TextField {...typed('name')} label="Company or name" autoComplete="organization" />
      <TextField {...typed('line1')} label="Address line 1" autoComplete="address-line1" />
      <TextField {...typed('line2')} label="Address line 2" isOptional autoComplete="address-line2" />
      <TextField {...typed('city')} label="Town or city" autoComplete="address-level2" />
      <TextField {...typed('postcode')} label="Postcode" isOptional autoComplete="postal-code" {...short} />
      <SelectField
        name="country"
        label="Country"
        defaultValue={details?.country ?? 'GB'}
        first={{ value: 'GB', label: 'United Kingdom' }}
        groups={[{ name: 'Other countries', choices: countries.filter(({ value }) => value !== 'GB') }]}
      />
      <TextField
        {...typed('vatNumber')}
        label="VAT number"
        hint="Include the country code, for example GB123456789."
        isOptional
        autoComplete="off"
        {...short}
      />
      <p className="text-note text-ink-2">Applies to new payments. To remove your details, clear all fields.</p>
      <SubmitButton kind="second">Save billing details</SubmitButton>
    </MutationForm>
  )
}

/** Describes the content of invoices. */
const invoiceText = (vatPercent: number | null): string =>
  vatPercent === null
    ? 'An invoice shows these details, the date, the credits and the amount paid.'
    : `An invoice shows these details, the date, the credits, the price without VAT, the VAT at ${vatPercent}% and the total.`

/** Details on receipts and invoices, with a form to change them. */
export function BillingDetailsSection({ countries, vatPercent }: { countries: readonly Country[]; vatPercent: number | null }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { details, email } = useSuspenseQuery(trpc.billing.details.queryOptions()).data
  const [isOpen, setOpen] = useState(false)
  const saved = async () => {
    await client.invalidateQueries(trpc.billing.pathFilter())
    setOpen(false)
    toast('Billing details saved.')
  }
  return (
    <section aria-labelledby="details-title" id="details" className="mt-10">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id="details-title" className="text-h2 font-semibold">
            Billing details
          </h2>
          <p className="mt-1 text-note text-pretty text-ink-2">
            {invoiceText(vatPercent)}
            {details === null ? ' If you don’t add them here, you’ll be asked for them when you pay.' : null}
          </p>
        </div>
        <Button kind="second" size="compact" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Cancel' : 'Edit'}
          {isOpen ? null : <span className="sr-only"> billing details</span>}
        </Button>
      </div>
      {isOpen ? (
        <div className="max-w-104">
          <DetailsForm details={details} countries={countries} onDone={saved} />
        </div>
      ) : (
        <DetailList details={details} email={email} countries={countries} />
      )}
    </section>
  )
}
