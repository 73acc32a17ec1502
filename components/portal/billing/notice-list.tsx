import { Time } from '#components/data/time.tsx'
import type { NoticeNews } from '#server/api/contract/billing-notices.ts'
import { noticeText } from './notice-text.ts'

type Shown = NoticeNews & { readonly id: string; readonly at: Date }

/** Notifications that were emailed to the account, so that customers needn't search their inbox. */
export function NoticeList({ notices }: { notices: readonly Shown[] }) {
  if (notices.length === 0) return <p>No notifications in the last 90 days.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {notices.map((notice) => (
        <li key={notice.id} className="py-2">
          {noticeText(notice)}
          <span className="block text-note text-ink-2">
            <Time at={notice.at} isStop />
          </span>
        </li>
      ))}
    </ul>
  )
}
