import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const tones = {
  info: { look: 'border-info bg-info-wash', ink: 'text-info', Icon: Info },
  good: { look: 'border-good bg-good-wash', ink: 'text-good', Icon: CircleCheck },
  caution: { look: 'border-caution bg-caution-wash', ink: 'text-caution', Icon: TriangleAlert },
  danger: { look: 'border-danger bg-danger-wash', ink: 'text-danger', Icon: CircleX },
} as const

export type NoticeTone = keyof typeof tones

/** Border, tint and icon of a notice, for elements with another role or label. */
export function NoticeBody({ tone, children }: { tone: NoticeTone; children: ReactNode }) {
  const { look, ink, Icon } = tones[tone]
  return (
    <div className={`flex gap-3 rounded-panel border px-4 py-3 text-pretty ${look}`}>
      <Icon aria-hidden="true" className={`mt-0.5 size-4.5 shrink-0 ${ink}`} />
      <div className="min-w-0 grow">{children}</div>
    </div>
  )
}

/** Notice at the top of a page or section. */
export function Notice({ tone, title, children }: { tone: NoticeTone; title?: string; children: ReactNode }) {
  return (
    <section aria-label={title ?? 'Notice'}>
      <NoticeBody tone={tone}>
        {title === undefined ? null : <h2 className="font-semibold">{title}</h2>}
        {children}
      </NoticeBody>
    </section>
  )
}
