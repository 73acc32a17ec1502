import { Time } from '#components/data/time.tsx'
import type { NoticeNews } from '#server/api/contract/billing-notices.ts'
import { noticeWords } from './notice-words.ts'

type Shown = NoticeNews & { readonly id: string; readonly at: Date }

/** What was told by email, so that nobody has to look for the mail. */
export function NoticeList({ notices }: { notices: readonly Shown[] }) {
  if (notices.length === 0) return <p>Nothing was told in the last 90 days.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {notices.map((notice) => (
        <li key={notice.id} className="py-2">
          {noticeWords(notice)}
          <span className="block text-note text-ink-2">
            <Time at={notice.at} isStop />
          </span>
        </li>
      ))}
    </ul>
  )
}
