'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { goTo } from '#components/forms/go-to.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { ActionForm } from './kit/action-form.tsx'
import { accountHref, Heading } from './kit/layout.tsx'

/** Form that starts viewing the portal as a customer. */
export function BeginViewAs({ account }: { account: string }) {
  const { viewing } = useTRPC().admin
  const { data } = useSuspenseQuery(viewing.read.queryOptions({ account }))
  return (
    <div className="max-w-120">
      <Heading title="View as this account" back={{ href: accountHref(account), name: data.email }} />
      {data.isOwn ? (
        <Notice tone="info">This is your own account. Open it with My portal in the menu.</Notice>
      ) : (
        <ActionForm
          mutation={viewing.begin.mutationOptions()}
          name="view"
          input={{ account }}
          kind="primary"
          button="View as this account"
          done={() => goTo('/portal')}
        >
          <p className="text-pretty wrap-anywhere">
            For {data.minutes} minutes, every page under /portal is shown as {data.email} sees it. You can’t change anything. Viewing is recorded in the audit
            log and in the account’s history. The customer sees the entry but not the reason.
          </p>
        </ActionForm>
      )}
    </div>
  )
}
