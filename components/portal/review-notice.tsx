import { Notice } from '#components/ui/notice.tsx'

/** Explains why live keys don't work yet, with the reason if the review was declined. */
export function ReviewNotice({ declineReason }: { declineReason: string | null }) {
  return (
    <div className="mb-6">
      {declineReason === null ? (
        <Notice tone="info">We're reviewing your account. Test keys work now. Live keys will work once we approve it. We'll email you.</Notice>
      ) : (
        <Notice tone="caution" title="Not approved for live keys">
          We did not approve your account: {declineReason.replace(/\.$/, '')}. Test keys keep working. If we missed something,{' '}
          <a className="prose-link" href="/help">
            contact support
          </a>
          .
        </Notice>
      )}
    </div>
  )
}
