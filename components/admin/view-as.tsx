import { Time } from '#components/data/time.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type Props = { account: string; email: string; isOwn: boolean; minutes: number; action: FormAction }

/** Form that starts viewing the portal as a customer. */
export function BeginViewAs({ account, email, isOwn, minutes, action }: Props) {
  if (isOwn) return <Notice tone="info">This is your own account. Open it with My portal in the menu.</Notice>
  return (
    <>
      <p className="mb-5 text-pretty wrap-anywhere">
        For {minutes} minutes, every page under /portal is shown as {email} sees it. You can’t change anything. Viewing is recorded in the audit log and in the
        account’s history, where the customer sees it without the reason.
      </p>
      <Form action={action} name="view">
        <input type="hidden" name="account" value={account} />
        <TextAreaField name="reason" label="Why" hint="Recorded in the audit log. Not shown to the customer." rows={2} />
        <SubmitButton>View as this account</SubmitButton>
      </Form>
    </>
  )
}

type ViewAsBannerProps = { account: string; endsAt: Date; leave: () => Promise<void> }

/** Banner shown while an administrator views the portal as a customer. */
export function ViewAsBanner({ account, endsAt, leave }: ViewAsBannerProps) {
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
