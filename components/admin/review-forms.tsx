'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { TextAreaField } from '#components/forms/field.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { type AccountState, accountStates } from '#server/api/contract/account-state.ts'
import { ActionForm } from './kit/action-form.tsx'
import { EmailPreview, Section } from './kit/layout.tsx'
import { usePreview } from './use-preview.ts'
import { type Decision, decisionMessage } from './views.ts'

type ReviewProps = {
  account: string
  standing: AccountState
  /** Goes to another page after the decision. If omitted, the forms are collapsed and the page stays open. */
  decided?: (decision: Decision) => Promise<never>
}

/** Forms that approve or decline an account, with the email that the customer gets. */
export function ReviewForms({ account, standing, decided }: ReviewProps) {
  const { review } = useTRPC().admin
  const { data: message } = useSuspenseQuery(review.message.queryOptions({ account }))
  const preview = usePreview(account)
  const done = (decision: Decision) => (decided ? () => decided(decision) : decisionMessage(decision, message.recipient !== null))
  const place = (id: Decision, title: string, form: (title: string | undefined) => ReactNode) =>
    decided ? (
      <Section id={id} title={title}>
        {form(undefined)}
      </Section>
    ) : (
      form(`${title} account`)
    )
  return (
    <>
      {place('approve', 'Approve', (title) => (
        <ActionForm
          mutation={review.approve.mutationOptions()}
          name="approve"
          title={title}
          input={{ account }}
          kind="primary"
          button="Approve account"
          done={done('approve')}
        >
          <p>{accountStates[standing]} → Approved. Live keys work immediately.</p>
          <EmailPreview message={message} />
        </ActionForm>
      ))}
      {standing === 'refused'
        ? null
        : place('decline', 'Decline', (title) => (
            <ActionForm
              mutation={review.decline.mutationOptions()}
              name="decline"
              title={title}
              input={{ account }}
              kind="danger"
              button="Decline account"
              preview={preview('decline')}
              done={done('decline')}
            >
              <TextAreaField
                name="customerMessage"
                label="Reason shown to the customer"
                hint="Up to 300 characters. Shown in the email, the portal and API errors."
                rows={2}
              />
            </ActionForm>
          ))}
    </>
  )
}
