'use client'

import { useMutation } from '@tanstack/react-query'
import { goTo } from '#components/forms/go-to.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type LostAccount = { readonly publicId: string; readonly label: string; readonly reason: 'no-access' | 'single-sign-on' | 'unlinked' }

/** Notices about the user's access to the account. `fault` explains why they can't change anything on the page; null if they can. */
export function MemberNotices({ lost, own, fault, csrfToken }: { lost: LostAccount | null; own: string; fault: string | null; csrfToken: string }) {
  return (
    <>
      {lost === null ? null : <LostAccessNotice lost={lost} own={own} csrfToken={csrfToken} />}
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

/** Starts a sign-in through the account's provider, or links to the page where the user must connect single sign-on first. */
function StartSingleSignOn({ lost: { publicId, reason }, csrfToken }: { lost: LostAccount; csrfToken: string }) {
  if (reason === 'unlinked')
    return (
      <ButtonLink kind="second" size="compact" href="/portal/settings/security#providers">
        Connect single sign-on
      </ButtonLink>
    )
  return (
    <form action={`/api/auth/signin/org-${publicId}`} method="post">
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value="/portal" />
      <Button kind="second" size="compact" type="submit">
        Continue with single sign-on
      </Button>
    </form>
  )
}

/** Explains why the account that this session acts for can't be shown. `own` is the public id of the account that the user signs in with. */
function LostAccessNotice({ lost, own, csrfToken }: { lost: LostAccount; own: string; csrfToken: string }) {
  const isLost = lost.reason === 'no-access'
  const { mutate, isPending, error } = useMutation(useTRPC().session.switchAccount.mutationOptions({ onSuccess: () => goTo('/portal') }))
  return (
    <div className="mb-6">
      <Notice tone="caution" title={isLost ? 'Your access has ended' : 'Single sign-on required'}>
        <p className="mb-3 wrap-anywhere">{isLost ? `You no longer have access to ${lost.label}.` : `${lost.label} requires single sign-on.`}</p>
        <div className="flex flex-wrap gap-3">
          {isLost ? null : <StartSingleSignOn lost={lost} csrfToken={csrfToken} />}
          {lost.publicId === own ? null : (
            <Button kind="second" size="compact" type="button" aria-disabled={isPending} onClick={() => mutate({ account: own })}>
              {isLost ? 'Continue' : 'Continue with your own account'}
            </Button>
          )}
        </div>
        {error === null ? null : (
          <p role="alert" className="mt-2 font-medium text-danger">
            {error.message}
          </p>
        )}
      </Notice>
    </div>
  )
}
