import { type ExampleRow, RateTable } from '#components/site/home-example.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { approvalNote, testKeyNote } from '#server/api/contract/access.ts'

type Props = { rows: readonly ExampleRow[]; price: string }

/** Benefits of an account, with an example, next to the sign-up form on wide screens. */
export function AuthAside({ rows, price }: Props) {
  const points = [testKeyNote, approvalNote, price, 'Errors, unchanged responses and test calls are free.']
  return (
    <aside aria-label="What you get" className="min-w-0 pt-8 max-lg:hidden">
      <p className="text-[1.25rem]/7 font-semibold tracking-tight text-balance">UK savings rates as an API.</p>
      <ul className="mt-4 space-y-2 text-pretty text-ink-2">
        {points.map((point) => (
          <li key={point} className="flex gap-3">
            <span aria-hidden="true" className="mt-2 h-1.5 w-3 shrink-0 -rotate-45 border-b-2 border-l-2 border-accent" />
            {point}
          </li>
        ))}
      </ul>
      <div className="mt-8 overflow-hidden rounded-panel border border-line bg-surface shadow-panel">
        <p className="flex min-h-11 items-center justify-between gap-3 border-b border-line bg-sunken px-4 py-2 font-mono text-note">
          <span>
            <span className="text-ink-2">GET</span> /v1/rates?type=easy-access&limit={rows.length}
          </span>
          <Tag tone="good">200</Tag>
        </p>
        <div className="px-4 pt-1 [&_tr:last-child]:border-b-0">
          <RateTable rows={rows} />
        </div>
        <p className="flex items-baseline gap-2 border-t border-dashed border-test px-4 py-2.5 text-table text-ink-2">
          <Tag tone="test">Test</Tag> Fictional banks.
        </p>
      </div>
    </aside>
  )
}
