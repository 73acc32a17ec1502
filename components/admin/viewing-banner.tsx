import { Time } from '#components/data/time.tsx'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type Props = { account: string; endsAt: Date; leave: () => Promise<void> }

/** Whose portal it is that an administrator looks at, and the way out. */
export function ViewingBanner({ account, endsAt, leave }: Props) {
  return (
    <div className="mb-6">
      <Notice tone="caution" title="You look at somebody else’s portal">
        <p className="wrap-anywhere">
          You see this portal as {account} does. Nothing can be changed. The view ends <Time at={endsAt} isStop />.
        </p>
        <LeaveView leave={leave}>Stop viewing</LeaveView>
      </Notice>
    </div>
  )
}

/** The way back to the own portal. */
export function LeaveView({ leave, children }: { leave: () => Promise<void>; children: string }) {
  return (
    <form action={leave} className="mt-3">
      <Button kind="second" type="submit">
        {children}
      </Button>
    </form>
  )
}
