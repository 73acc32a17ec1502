import type { FormAction } from '#components/forms/form-state.ts'
import { declineField } from './account-actions.tsx'
import { ActionForm, PreviewedForm } from './action-form.tsx'
import { CandidateDetails, type ShownCandidate, type ShownSimilar, SimilarAccounts } from './candidates.tsx'
import type { EmailContent, PreviewAction } from './email-preview.tsx'
import { EmailPreview } from './email-preview.tsx'
import { accountHref, Section } from './section.tsx'

type Props = {
  candidate: ShownCandidate & { readonly similar: readonly ShownSimilar[] }
  /** Email sent on approval. */
  message: EmailContent
  approve: FormAction
  decline: PreviewAction
}

/** Review page of an account: details, similar accounts, approve and decline. */
export function CandidatePage({ candidate, message, approve, decline }: Props) {
  const { id, email, similar } = candidate
  return (
    <>
      <p className="mb-2">
        <a className="prose-link" href="/admin/review">
          Review
        </a>
      </p>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight wrap-anywhere">{email}</h1>
      <CandidateDetails candidate={candidate} />
      <p className="mt-3">
        <a className="prose-link" href={accountHref(id)}>
          Open the account
        </a>
      </p>
      <Section id="similar" title="Similar accounts">
        <SimilarAccounts similar={similar} />
      </Section>
      <div className="grid gap-x-12 lg:grid-cols-2">
        <Section id="approve" title="Approve">
          <ActionForm name="approve" title={null} account={id} kind="primary" button="Approve account" action={approve}>
            <p>In review → Approved. Live keys work immediately.</p>
            <EmailPreview message={message} />
          </ActionForm>
        </Section>
        <Section id="decline" title="Decline">
          <PreviewedForm name="decline" title={null} account={id} kind="danger" button="Decline account" action={decline}>
            {declineField}
          </PreviewedForm>
        </Section>
      </div>
    </>
  )
}
