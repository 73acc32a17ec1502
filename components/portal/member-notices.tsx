'use client'

import { useMutation } from '@tanstack/react-query'
import { goTo } from '#components/forms/go-to.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'

/** Notices about the user's access to the account. `fault` says why they can't change anything on a page; null if they can. */
export function MemberNotices({ lost, own, fault }: { lost: { readonly label: string } | null; own: string; fault: string | null }) {
  return (
    <>
      {lost === null ? null : <LostAccessNotice label={lost.label} own={own} />}
      {fault === null ? null : (
        <div className="mb-6">
          <Notice tone="info" title="Limited access">
            {fault}
          </Notice>
        </div>
      )}
    </>
  )
}

/** Says that the user has lost access to the account that this session showed. `own` is the public id of the account they sign in with. */
function LostAccessNotice({ label, own }: { label: string; own: string }) {
  const { mutate, isPending, error } = useMutation(useTRPC().session.switchAccount.mutationOptions({ onSuccess: () => goTo('/portal') }))
  return (
    <div className="mb-6">
      <Notice tone="caution" title="Your access has ended">
        <p className="mb-3 wrap-anywhere">You no longer have access to {label}.</p>
        <Button kind="second" type="button" aria-disabled={isPending} onClick={() => mutate({ account: own })}>
          Continue
        </Button>
        {error === null ? null : (
          <p role="alert" className="mt-2 font-medium text-danger">
            {error.message}
          </p>
        )}
      </Notice>
    </div>
  )
}
