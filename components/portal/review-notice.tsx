import { Notice } from '../ui/notice.tsx'

/** Said wherever somebody might wonder why a live key does not work yet. */
export function ReviewNotice() {
  return (
    <div className="mb-6">
      <Notice tone="info">We are reviewing your account. Test keys work now. Live keys will work once we approve it. We will email you.</Notice>
    </div>
  )
}
