import type { ReactNode } from 'react'

const tones = {
  /** Made up: said first and in full. */
  fiction: 'border-dashed border-test bg-test-wash text-test',
  /** True once and not any more. */
  past: 'border-transparent bg-caution-wash text-caution',
} as const

/** What a reader has to know before anything else on the page. */
export function PageNotice({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  return <p className={`mb-4 rounded-panel border px-4 py-3 font-medium text-pretty ${tones[tone]}`}>{children}</p>
}
