import { credits } from '#components/portal/amounts.ts'
import { Person } from './person.tsx'

/** Account with its balance. */
export function Balance({ account, email, balanceCredits }: { account: string; email: string; balanceCredits: number }) {
  return (
    <p className="mb-6 wrap-anywhere">
      <a className="prose-link" href={`/admin/accounts/${account}`}>
        <Person id={account} email={email} />
      </a>{' '}
      has {credits(balanceCredits)}.
    </p>
  )
}
