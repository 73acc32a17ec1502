'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { ClientForm } from '#components/forms/client-form.tsx'
import { TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { planNames, plans } from '#server/api/contract/access.ts'
import { type AdminColumn, AdminTable } from './kit/admin-table.tsx'
import { FilterBar } from './kit/filter-bar.tsx'
import { AccountTags, accountHref, CellLink, Heading, type Outputs } from './kit/layout.tsx'
import { toHref } from './kit/search.ts'
import { type readAccountView, standingNames } from './views.ts'

type View = ReturnType<typeof readAccountView>

const path = '/admin/accounts'

/** Account search. The text may be a key, so it is posted to the procedure and never appears in the URL. */
function FindAccount() {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const find = async ({ search }: Record<string, string>) => {
    const found = await client.fetchQuery({ ...trpc.admin.accounts.find.queryOptions({ search: search ?? '' }), staleTime: 0, retry: false })
    if (!('account' in found)) return goTo(toHref(path, found))
    return goTo(accountHref(found.account, found.request === null ? '' : `/requests/${found.request}`))
  }
  return (
    <search className="mb-4 block max-w-160">
      <ClientForm action="/api/trpc/admin.accounts.find" submit={find} name="find">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
          <TextField
            name="search"
            label="Find an account"
            hint="Email address or the start of one, @domain, account ID, key, last four characters of a key, or request ID."
          />
          <SubmitButton kind="second">Find</SubmitButton>
        </div>
      </ClientForm>
    </search>
  )
}

/** Describes the current search, above the account list. Renders nothing if there is no search. */
function SearchedFor({ view: { email, hint, ids } }: { view: View }) {
  if (email === null && hint === null && ids === null) return null
  return (
    <p className="mb-4 wrap-anywhere">
      {email === null ? null : email.startsWith('@') ? `Emails at ${email.slice(1)}. ` : `Emails starting with ${email}. `}
      {hint === null ? null : `Keys ending in ${hint}. `}
      {ids === null ? null : 'Accounts matching your search. '}
      <a className="prose-link" href={path}>
        Show all accounts
      </a>
    </p>
  )
}

type Row = Outputs['accounts']['list']['accounts'][number]

const columns: readonly AdminColumn<Row>[] = [
  { name: 'Account', isHead: true, cell: ({ id, email }) => <CellLink href={accountHref(id)}>{email}</CellLink> },
  { name: 'State', isBeside: true, cell: (account) => <AccountTags {...account} /> },
  { name: 'Plan', cell: ({ plan }) => plans[plan].label },
  { name: 'Balance', isNumber: true, cell: ({ balanceCredits }) => number(balanceCredits) },
  { name: 'Signed up', cell: ({ createdAt }) => <Time at={createdAt} look="day" /> },
]

/** Search, filters and list of accounts, newest first. */
export function AccountList({ view }: { view: View }) {
  const { data } = useSuspenseQuery(useTRPC().admin.accounts.list.queryOptions(view))
  return (
    <>
      <Heading title="Accounts" />
      <FindAccount />
      <FilterBar
        path={path}
        button="Show accounts"
        filters={[
          { name: 'standing', label: 'State', any: 'All states', value: view.standing, options: Object.entries(standingNames) },
          { name: 'plan', label: 'Plan', any: 'All plans', value: view.plan, options: planNames.map((plan) => [plan, plans[plan].label] as const) },
        ]}
      />
      <SearchedFor view={view} />
      <AdminTable
        caption="Accounts, newest first"
        rows={data.accounts}
        rowKey={({ id }) => id}
        columns={columns}
        empty="No accounts match."
        next={{ href: data.next === null ? null : toHref(path, { ...view, below: data.next }), name: 'Older accounts' }}
      />
    </>
  )
}
