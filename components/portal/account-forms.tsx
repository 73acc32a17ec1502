'use client'

import { HiddenField, TextAreaField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Notice } from '#components/ui/notice.tsx'

type Props = {
  email: string
  /** True if nothing on the page is more important, so that the notice's button can be the primary one. */
  isFirst: boolean
}

/** Asks a new account to confirm its email. The confirmation link expires after 30 minutes, so a new link can be requested. */
export function ConfirmNotice({ email, isFirst }: Props) {
  const trpc = useTRPC()
  return (
    <Notice tone="caution" title="Confirm your email">
      <p className="mb-3 wrap-anywhere">
        We sent a link to {email}. It works once and expires in 30 minutes. You can't create keys or top up until you confirm. We close unused, unconfirmed
        accounts after 30 days.
      </p>
      <MutationForm
        mutation={trpc.security.sendConfirmation.mutationOptions()}
        name="confirm"
        // The email may have been confirmed in the meantime.
        onDone={({ isSent }) => (isSent ? "We've sent a new link." : goTo('/portal'))}
      >
        <SubmitButton kind={isFirst ? 'primary' : 'second'}>Resend link</SubmitButton>
      </MutationForm>
    </Notice>
  )
}

/** Asks an account in review what it will build. Optional, but helps the reviewer. */
export function PurposeForm({ purpose }: { purpose: string }) {
  const trpc = useTRPC()
  return (
    <div className="mb-8 max-w-prose">
      <MutationForm mutation={trpc.profile.setPurpose.mutationOptions()} name="purpose" onDone={() => 'Saved.'}>
        <TextAreaField
          name="purpose"
          label="What will you build?"
          hint="One sentence helps us approve your account faster."
          isOptional
          rows={2}
          defaultValue={purpose}
        />
        <div>
          <SubmitButton kind="second">Save</SubmitButton>
        </div>
      </MutationForm>
    </div>
  )
}

/** Accepts a version of the Data Licence. */
export function AcceptLicenceForm({ label }: { label: string }) {
  const trpc = useTRPC()
  return (
    <MutationForm mutation={trpc.licence.accept.mutationOptions()} onDone={() => goTo('/portal/licence')}>
      <HiddenField name="label" value={label} />
      <SubmitButton>Accept {label}</SubmitButton>
    </MutationForm>
  )
}
