import type { ReactNode } from 'react'

const tones = {
  good: 'border-transparent bg-good-wash text-good',
  plain: 'border-transparent bg-hover text-ink-2',
  caution: 'border-transparent bg-caution-wash text-caution',
  danger: 'border-transparent bg-danger-wash text-danger',
  test: 'border-dashed border-test bg-test-wash text-test',
} as const

export type Tone = keyof typeof tones

/** Short label: an adjective, never a link. The `test` tone, plum with a dashed border, is for test and sample data only. */
export function Tag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`inline-block rounded-control border px-1.5 align-middle text-note font-medium whitespace-nowrap ${tones[tone]}`}>{children}</span>
}
