import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { number } from '#components/portal/amounts.ts'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { planNames, type plans } from '#server/api/contract/access.ts'
import { AccountTags, planLabel } from './account-top.tsx'
import { type AccountView, isNarrowed, standingNames, viewHref } from './account-view.ts'
import { accountHref } from './section.tsx'

export type ListedAccount = {
  readonly id: string
  readonly email: string
  readonly isAdmin: boolean
  readonly plan: keyof typeof plans
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly isConfirmed: boolean
  readonly createdAt: Date
  readonly balanceCredits: number
}

/** Search for an account. Submitted by POST, because the text may be a key and must not appear in a URL. */
export function FindAccount({ action }: { action: FormAction }) {
  return (
    <search className="mb-6 block max-w-prose">
      <Form action={action} name="find">
        <TextField
          name="search"
          label="Find an account"
          hint="Email address or the start of one, @domain, account id, key, last four characters of a key, or request id."
        />
        <div>
          <SubmitButton kind="second">Find</SubmitButton>
        </div>
      </Form>
    </search>
  )
}

const box = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:text-table'

function Choice({
  name,
  label,
  any,
  value,
  options,
}: {
  name: string
  label: string
  any: string
  value: string | null
  options: readonly (readonly [string, string])[]
}) {
  return (
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-note font-medium">{label}</span>
      <select name={name} defaultValue={value ?? ''} className={box}>
        <option value="">{any}</option>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Filters of the account list. A GET form, so it works without JavaScript and the URL can be shared. */
export function AccountFilters({ view }: { view: AccountView }) {
  return (
    <form action="/admin/accounts" className="mb-6 grid items-end gap-3 border-y border-line py-4 sm:grid-cols-[1fr_1fr_auto]">
      <Choice name="standing" label="State" any="All states" value={view.standing} options={Object.entries(standingNames)} />
      <Choice name="plan" label="Plan" any="All plans" value={view.plan} options={planNames.map((plan) => [plan, planLabel(plan)] as const)} />
      {view.email === null ? null : <input type="hidden" name="email" value={view.email} />}
      {view.hint === null ? null : <input type="hidden" name="hint" value={view.hint} />}
      {view.ids === null ? null : <input type="hidden" name="ids" value={view.ids.join(',')} />}
      <div className="flex flex-wrap gap-3">
        <Button kind="second" type="submit">
          Show accounts
        </Button>
        {isNarrowed(view) ? (
          <ButtonLink kind="second" href="/admin/accounts">
            Show all
          </ButtonLink>
        ) : null}
      </div>
    </form>
  )
}

/** Describes the current search, above the account list. Renders nothing if there is no search. */
export function SearchedFor({ view: { email, hint, ids } }: { view: AccountView }) {
  if (email === null && hint === null && ids === null) return null
  return (
    <p className="mb-4 wrap-anywhere">
      {email === null ? null : email.startsWith('@') ? `Emails at ${email.slice(1)}. ` : `Emails starting with ${email}. `}
      {hint === null ? null : `Keys ending in ${hint}. `}
      {ids === null ? null : 'All of these match your search.'}
    </p>
  )
}

export function AccountTable({ accounts, view, next }: { accounts: readonly ListedAccount[]; view: AccountView; next: string | null }) {
  if (accounts.length === 0) return <p>No accounts match.</p>
  return (
    <>
      <DataTable
        caption="Accounts, newest first"
        rows={accounts}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Account',
            isHead: true,
            cell: ({ id, email }) => (
              <a className="prose-link wrap-anywhere" href={accountHref(id)}>
                {email}
              </a>
            ),
          },
          { name: 'State', isBeside: true, cell: (account) => <AccountTags {...account} /> },
          { name: 'Plan', cell: ({ plan }) => planLabel(plan) },
          { name: 'Balance', isNumber: true, cell: ({ balanceCredits }) => number(balanceCredits) },
          { name: 'Signed up', cell: ({ createdAt }) => <Time at={createdAt} look="day" /> },
        ]}
      />
      {next === null ? null : (
        <p className="mt-3">
          <a className="prose-link" href={viewHref({ ...view, below: next })}>
            Older accounts
          </a>
        </p>
      )}
    </>
  )
}
