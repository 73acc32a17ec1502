import { credits } from '../portal/amounts.ts'

/** Whose credits they are, and how many. */
export function Balance({ account, balanceCredits }: { account: string; balanceCredits: number }) {
  return (
    <p className="mb-6 wrap-anywhere">
      <a className="prose-link" href={`/admin/accounts/${account}`}>
        {account}
      </a>{' '}
      has {credits(balanceCredits)}.
    </p>
  )
}
