import { ButtonLink } from '#components/ui/button.tsx'
import { Tag } from '#components/ui/tag.tsx'

type PlanColumn = {
  readonly name: string
  /** Fee in addition to the credits, or the way to get the plan. */
  readonly terms: string
  readonly perMinute: number
  readonly perDay: number
  /** States whether the plan includes the rate history. */
  readonly history: string
  /** True if every new account has this plan. Others are set up by support. */
  readonly isFirst: boolean
}

const grouped = new Intl.NumberFormat('en-GB')

/** Plans side by side. They differ in their limits. The price of a credit is the same, so it is not repeated here. */
export function PlanColumns({ plans }: { plans: readonly PlanColumn[] }) {
  return (
    <ul className="grid gap-4 md:grid-cols-3">
      {plans.map(({ name, terms, perMinute, perDay, history, isFirst }) => (
        <li key={name} className="flex flex-col rounded-panel border border-line bg-surface p-5">
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <h3 className="text-h2 font-semibold">{name}</h3>
            {isFirst ? <Tag tone="plain">You start here</Tag> : null}
          </div>
          <p className="text-ink-2">{terms}</p>
          <p className="mt-3 flex flex-wrap items-baseline gap-x-2">
            <span className="text-figure font-semibold tracking-tight tabular-nums">{grouped.format(perDay)}</span>{' '}
            <span className="whitespace-nowrap text-ink-2">live calls a day</span>
          </p>
          <ul className="mt-4 mb-5 grow divide-y divide-line border-y border-line text-ink-2 *:py-2">
            <li>{grouped.format(perMinute)} calls a minute for each key</li>
            <li>{history}</li>
          </ul>
          <ButtonLink
            kind={isFirst ? 'primary' : 'second'}
            href={isFirst ? '/sign-up' : '/help'}
            aria-label={isFirst ? undefined : `Request access to ${name}`}
          >
            {isFirst ? 'Create account' : 'Request access'}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}
