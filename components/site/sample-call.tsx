import type { ReactNode } from 'react'
import { JsonBlock } from '#components/data/json-block.tsx'
import { CodeFigure } from '#components/docs/code-figure.tsx'
import { KeySlots } from '#components/docs/key-slots.tsx'
import { Button } from '#components/ui/button.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { type AccountType, accountTypes, accountTypeValues } from '#server/api/contract/account-types.ts'

type Props = { origin: string; type: AccountType; target: string; cost: string; body: unknown; children: ReactNode }

/** Sample call that works without an account, with its response; `children` are shown below the call. A GET form, so it works without JavaScript. */
export function SampleCall({ origin, type, target, cost, body, children }: Props) {
  const curl = `curl "${origin}/v1${target}" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[5fr_6fr] lg:grid-rows-[auto_1fr]">
      <div className="min-w-0">
        <form action="/#answer" className="mb-4 flex flex-wrap items-end gap-3">
          <label className="grow">
            <span className="mb-1 block font-medium">Account type</span>
            <select name="type" defaultValue={type} className="h-11 w-full rounded-control border border-line-strong bg-surface px-2 text-[1rem] sm:text-body">
              {accountTypeValues.map((value) => (
                <option key={value} value={value}>
                  {accountTypes[value].label}
                </option>
              ))}
            </select>
          </label>
          <Button kind="primary" type="submit">
            Run call
          </Button>
        </form>
        <CodeFigure label="curl" language="sh" code={curl} />
        <KeySlots />
        <p className="mt-3 text-note text-ink-2">Free with a test key. With a live key: {cost}.</p>
      </div>
      <div id="answer" className="min-w-0 self-start rounded-panel border border-dashed border-test bg-surface lg:row-span-2">
        <p className="flex flex-wrap items-center gap-2 border-b border-dashed border-test px-3 py-2.5 text-note">
          <Tag tone="test">Test</Tag> Sample data with fictional banks. Free.
        </p>
        <div className="p-3">
          <JsonBlock value={body} />
        </div>
      </div>
      <div className="mt-6 min-w-0">{children}</div>
    </div>
  )
}
