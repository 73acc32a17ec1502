'use client'

import { useMutation } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type EndViewProps = { next: string; children: string }

/** Button that ends the view-as session and then opens an admin page. */
export function EndView({ next, children }: EndViewProps) {
  const { mutate, isPending, error } = useMutation(useTRPC().admin.viewing.end.mutationOptions({ onSuccess: () => goTo(next) }))
  return (
    <p className="mt-3 flex flex-wrap items-center gap-3">
      <Button kind="second" type="button" aria-disabled={isPending} onClick={() => mutate({ reason: 'Stopped viewing.' })}>
        {children}
      </Button>
      {error === null ? null : (
        <span role="alert" className="font-medium text-danger">
          {error.message}
        </span>
      )}
    </p>
  )
}

type ViewAsBannerProps = { account: string; email: string; endsAt: Date }

/** Banner shown while an administrator views the portal as a customer. */
export function ViewAsBanner({ account, email, endsAt }: ViewAsBannerProps) {
  return (
    <div className="mb-6">
      <Notice tone="caution" title={`Viewing as ${email}`}>
        <p className="wrap-anywhere">
          You're seeing the portal as {email} sees it and can't change anything. This ends at <Time at={endsAt} isStop />.
        </p>
        <EndView next={`/admin/accounts/${account}`}>Stop viewing</EndView>
      </Notice>
    </div>
  )
}
