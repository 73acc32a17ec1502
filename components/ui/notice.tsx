import type { ReactNode } from 'react'

const tones = {
  info: 'border-info bg-info-wash',
  good: 'border-good bg-good-wash',
  caution: 'border-caution bg-caution-wash',
  danger: 'border-danger bg-danger-wash',
} as const

/** Notice at the top of a page or section. */
export function Notice({ tone, title, children }: { tone: keyof typeof tones; title?: string; children: ReactNode }) {
  return (
    <section aria-label={title ?? 'Notice'} className={`rounded-panel border-l-4 px-4 py-3 text-pretty ${tones[tone]}`}>
      {title === undefined ? null : <h2 className="font-semibold">{title}</h2>}
      {children}
    </section>
  )
}
