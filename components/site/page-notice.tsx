import type { ReactNode } from 'react'

const tones = {
  /** Fictional data. */
  fiction: 'border-dashed border-test bg-test-wash text-test',
  /** Former data. */
  past: 'border-transparent bg-caution-wash text-caution',
} as const

/** Notice above everything else on a page. */
export function PageNotice({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  return <p className={`mb-4 rounded-panel border px-4 py-3 font-medium text-pretty ${tones[tone]}`}>{children}</p>
}
