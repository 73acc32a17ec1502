import { Tag, type Tone } from '#components/ui/tag.tsx'
import { plans } from '#server/api/contract/plans.ts'

export type ShownStanding = {
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly isConfirmed: boolean
  readonly isClosed?: boolean
}

/** State of an account as a label with a tone. */
function standing({ state, isDeclined, isConfirmed, isClosed = false }: ShownStanding): readonly [Tone, string] {
  if (isClosed) return ['plain', 'Closed']
  if (state === 'blocked') return ['danger', 'Blocked']
  if (state === 'open') return ['good', 'Approved']
  if (isDeclined) return ['danger', 'Declined']
  return isConfirmed ? ['caution', 'In review'] : ['plain', 'Not confirmed']
}

export const stateLabel = (account: ShownStanding): string => standing(account)[1]

type Props = ShownStanding & { readonly balanceCredits: number; readonly isAdmin: boolean }

/** State tags next to an account’s name. */
export function AccountTags(account: Props) {
  const [tone, word] = standing(account)
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Tag tone={tone}>{word}</Tag>
      {account.balanceCredits < 0 ? <Tag tone="danger">In debt</Tag> : null}
      {account.isAdmin ? <Tag tone="plain">Administrator</Tag> : null}
    </span>
  )
}

export const planLabel = (plan: keyof typeof plans): string => plans[plan].label
