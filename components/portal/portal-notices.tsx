import { Time } from '#components/data/time.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { Notice } from '#components/ui/notice.tsx'

type Props = {
  email: string
  /** Sends a new confirmation link. */
  action: FormAction
  /** True if nothing on the page is more important, so that the notice's button can be the primary one. */
  isFirst: boolean
}

/** Asks a new account to confirm its email. The confirmation link expires after 30 minutes, so a new link can be requested. */
function ConfirmNotice({ email, action, isFirst }: Props) {
  return (
    <Notice tone="caution" title="Confirm your email">
      <p className="mb-3 wrap-anywhere">
        We sent a link to {email}. It works once and expires in 30 minutes. You can't create keys or top up until you confirm. Unused accounts that aren't
        confirmed are closed after 30 days.
      </p>
      <Form action={action} name="confirm">
        <SubmitButton kind={isFirst ? 'primary' : 'second'}>Resend link</SubmitButton>
      </Form>
    </Notice>
  )
}

type Viewer = {
  readonly email: string
  readonly state: 'review' | 'open' | 'blocked'
  readonly blockReason: string | null
  readonly isConfirmed: boolean
  readonly licenceDue: { readonly label: string; readonly by: Date } | null
}

/** Notices on every page of the portal, most severe first. */
export function PortalNotices({ viewer, path, sendLink }: { viewer: Viewer; path: string; sendLink: FormAction }) {
  const { licenceDue } = viewer
  if (viewer.state === 'blocked')
    return (
      <>
        <h1 className="mb-4 text-h1 font-semibold tracking-tight">Account blocked</h1>
        <Notice tone="danger">
          This account is blocked{viewer.blockReason === null ? '' : `: ${viewer.blockReason.replace(/\.$/, '')}`}. Its keys do not work.{' '}
          <a className="prose-link" href="/portal/help">
            Contact support
          </a>
          .
        </Notice>
      </>
    )
  return (
    <div className="flex flex-col gap-3 not-empty:mb-6">
      {viewer.isConfirmed ? null : <ConfirmNotice email={viewer.email} action={sendLink} isFirst={/^\/portal(?:\?|$)/.test(path)} />}
      {licenceDue === null || path.startsWith('/portal/licence') ? null : (
        <Notice tone="caution" title={`Data Licence ${licenceDue.label}`}>
          {licenceDue.by.getTime() > Date.now() ? 'Live calls stop on ' : 'Live calls stopped on '}
          <Time at={licenceDue.by} look="day" /> {licenceDue.by.getTime() > Date.now() ? 'unless you accept.' : 'because you haven’t accepted it.'}{' '}
          <a className="prose-link" href="/portal/licence">
            Read what changed
          </a>
        </Notice>
      )}
    </div>
  )
}

/** Explains why live keys don't work yet, with the reason if the review was declined. */
export function ReviewNotice({ declineReason }: { declineReason: string | null }) {
  return (
    <div className="mb-6">
      {declineReason === null ? (
        <Notice tone="info">We're reviewing your account. Test keys work now. Live keys will work once we approve it. We'll email you.</Notice>
      ) : (
        <Notice tone="caution" title="Not approved for live keys">
          We did not approve your account: {declineReason.replace(/\.$/, '')}. Test keys keep working. If we missed something,{' '}
          <a className="prose-link" href="/portal/help">
            contact support
          </a>
          .
        </Notice>
      )}
    </div>
  )
}
