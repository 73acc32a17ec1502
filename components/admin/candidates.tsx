import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { number } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import { AccountTags } from './account-top.tsx'
import { accountHref } from './section.tsx'

export type ShownCandidate = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly purpose: string
  readonly signedUpAt: Date
  readonly confirmedAt: Date
  readonly hasPassword: boolean
  readonly issuers: readonly string[]
  readonly domain: string
  readonly sameDomain: number
  readonly address: string | null
  readonly sameAddress: number
  readonly testCalls: number
  readonly testedAt: Date | null
}

/** Maximum number of similar accounts that the server counts. Must match `maxOthers` on the server. */
const maxOthers = 100

const others = (count: number): string => {
  if (count === 0) return 'no other accounts'
  return `${count >= maxOthers ? `${maxOthers} or more` : number(count)} other ${count === 1 ? 'account' : 'accounts'}`
}

const signIn = ({ hasPassword, issuers }: ShownCandidate): string => [...(hasPassword ? ['Password'] : []), ...issuers].join(', ')

/** Accounts awaiting live access, longest wait first. */
export function CandidateTable({ candidates, next }: { candidates: readonly ShownCandidate[]; next: string | null }) {
  if (candidates.length === 0) return <p>No accounts to review.</p>
  return (
    <>
      <DataTable
        caption="Accounts in review, longest wait first"
        rows={candidates}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Account',
            isHead: true,
            cell: ({ id, email }) => (
              <a className="prose-link wrap-anywhere" href={`/admin/review/${id}`}>
                {email}
              </a>
            ),
          },
          { name: 'Waiting', cell: ({ confirmedAt }) => <Time at={confirmedAt}>{ago(confirmedAt, new Date())}</Time> },
          { name: 'Signs in with', cell: (candidate) => <span className="wrap-anywhere">{signIn(candidate)}</span> },
          { name: 'Same domain', cell: ({ sameDomain }) => others(sameDomain) },
          { name: 'Same IP', cell: ({ sameAddress }) => others(sameAddress) },
          { name: 'Test calls', isNumber: true, cell: ({ testCalls }) => number(testCalls) },
        ]}
      />
      {next === null ? null : (
        <p className="mt-3">
          <a className="prose-link" href={`/admin/review?after=${next}`}>
            Next page
          </a>
        </p>
      )}
    </>
  )
}

/** Evidence for an account review. */
export function CandidateDetails({ candidate }: { candidate: ShownCandidate }) {
  const { confirmedAt, signedUpAt, domain, sameDomain, address, sameAddress, testCalls, testedAt } = candidate
  return (
    <dl className="border-t border-line">
      <Fact name="Waiting since">
        <Time at={confirmedAt} />, {ago(confirmedAt, new Date())}
      </Fact>
      <Fact name="Signed up">
        <Time at={signedUpAt} />
        {candidate.name === '' ? '' : ` as ${candidate.name}`}
      </Fact>
      <Fact name="Intended use">{candidate.purpose === '' ? 'Not given' : candidate.purpose}</Fact>
      <Fact name="Signs in with">{signIn(candidate)}</Fact>
      <Fact name="Email domain">
        {domain}: {others(sameDomain)}
      </Fact>
      <Fact name="Signed up from">{address === null ? 'Unknown' : `${address}: ${others(sameAddress)}`}</Fact>
      <Fact name="Test keys">
        {testCalls === 0 && testedAt === null ? 'Not used yet' : `${number(testCalls)} ${testCalls === 1 ? 'call' : 'calls'}`}
        {testedAt === null ? null : (
          <>
            , last <Time at={testedAt} />
          </>
        )}
      </Fact>
    </dl>
  )
}

export type ShownSimilar = {
  readonly id: string
  readonly email: string
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly signedUpAt: Date
  readonly hasSameAddress: boolean
  readonly hasSameDomain: boolean
}

const sharedTraits = ({ hasSameAddress, hasSameDomain }: ShownSimilar): string =>
  [...(hasSameDomain ? ['domain'] : []), ...(hasSameAddress ? ['sign-up IP'] : [])].join(', ')

/** Other accounts that may belong to the same people. */
export function SimilarAccounts({ similar }: { similar: readonly ShownSimilar[] }) {
  if (similar.length === 0) return <p>No other account has the same email domain or sign-up IP.</p>
  return (
    <DataTable
      caption="Similar accounts"
      rows={similar}
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
        { name: 'In common', cell: sharedTraits },
        { name: 'State', isBeside: true, cell: (one) => <AccountTags {...one} isConfirmed balanceCredits={0} isAdmin={false} /> },
        { name: 'Signed up', cell: ({ signedUpAt }) => <Time at={signedUpAt} look="day" /> },
      ]}
    />
  )
}
