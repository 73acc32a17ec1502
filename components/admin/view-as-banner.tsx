import { Time } from '#components/data/time.tsx'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type Props = { account: string; endsAt: Date; leave: () => Promise<void> }

/** Banner shown while an administrator views the portal as a customer. */
export function ViewAsBanner({ account, endsAt, leave }: Props) {
  return (
    <div className="mb-6">
      <Notice tone="caution" title="Viewing as another customer">
        <p className="wrap-anywhere">
          You see this portal as {account} does. Nothing can be changed. Viewing ends <Time at={endsAt} isStop />.
        </p>
        <EndView leave={leave}>Stop viewing</EndView>
      </Notice>
    </div>
  )
}

/** Button that returns to the administrator's own portal. */
export function EndView({ leave, children }: { leave: () => Promise<void>; children: string }) {
  return (
    <form action={leave} className="mt-3">
      <Button kind="second" type="submit">
        {children}
      </Button>
    </form>
  )
}
