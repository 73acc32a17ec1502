import { Time } from '#components/data/time.tsx'
import { day } from '#components/data/time-format.ts'
import { Notice } from '#components/ui/notice.tsx'
import { ConfirmNotice } from './account-forms.tsx'

type Viewer = {
  readonly email: string
  readonly state: 'review' | 'open' | 'blocked'
  readonly blockReason: string | null
  readonly isConfirmed: boolean
  readonly licenceDue: { readonly label: string; readonly by: Date } | null
}

/** Notices on every page of the portal, most severe first. */
export function PortalNotices({ viewer, path }: { viewer: Viewer; path: string }) {
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
      {viewer.isConfirmed ? null : <ConfirmNotice email={viewer.email} isFirst={/^\/portal(?:\?|$)/.test(path)} />}
      {licenceDue === null || path.startsWith('/portal/licence') ? null : (
        <Notice tone="caution" title={`Data Licence ${licenceDue.label}`}>
          {licenceDue.by.getTime() > Date.now() ? 'Calls stop on ' : 'Calls stopped on '}
          <Time at={licenceDue.by} look="day" /> {licenceDue.by.getTime() > Date.now() ? 'unless you accept.' : 'because you haven’t accepted it.'}{' '}
          <a className="prose-link" href="/portal/licence">
            Read what changed
          </a>
        </Notice>
      )}
    </div>
  )
}

type Review = {
  /** Time at which the review began; null if it hasn't. */
  readonly confirmedAt: Date | null
  readonly declineReason: string | null
}

/** Returns the sentences on when the review began and how long reviews usually take. */
export const reviewState = (confirmedAt: Date | null): string =>
  confirmedAt === null ? '' : `Your account has been in review since ${day(confirmedAt)}. Reviews usually take one working day.`

/** Explains why live keys don't work yet, with the reason if the review was declined. */
export function ReviewNotice({ confirmedAt, declineReason }: Review) {
  return (
    <div className="mb-6">
      {declineReason === null ? (
        <Notice tone="info">
          We're reviewing your account. Test keys work now. Live keys will work once your account is approved. We'll email you when it is.{' '}
          {reviewState(confirmedAt)}
        </Notice>
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
