import { Tag } from '#components/ui/tag.tsx'

export type SourceState = 'arrived' | 'held' | 'failed' | 'due'

const looks = {
  arrived: { tone: 'good', word: 'Arrived' },
  held: { tone: 'caution', word: 'Quarantined' },
  failed: { tone: 'danger', word: 'Failed' },
  due: { tone: 'plain', word: 'Not yet' },
} as const

/** Today's state of a source. */
export function SourceTag({ state }: { state: SourceState }) {
  return <Tag tone={looks[state].tone}>{looks[state].word}</Tag>
}
