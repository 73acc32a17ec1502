import { Notice } from '#components/ui/notice.tsx'

/** Said wherever somebody might wonder why a live key does not work yet; with the reason, when the review ended with a no. */
export function ReviewNotice({ declineReason }: { declineReason: string | null }) {
  return (
    <div className="mb-6">
      {declineReason === null ? (
        <Notice tone="info">We are reviewing your account. Test keys work now. Live keys will work once we approve it. We will email you.</Notice>
      ) : (
        <Notice tone="caution" title="Not approved for live keys">
          We did not approve your account: {declineReason.replace(/\.$/, '')}. Test keys go on working. If we missed something,{' '}
          <a className="prose-link" href="/help">
            contact support
          </a>
          .
        </Notice>
      )}
    </div>
  )
}
