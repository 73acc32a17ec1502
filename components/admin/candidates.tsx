import { DataTable } from '#components/data/data-table.tsx'
import { ago } from '#components/data/dates.ts'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import { AccountTags } from './account-tags.tsx'
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

/** Beyond so many, others are not counted. */
const mostOthers = 100

const others = (count: number): string => {
  if (count === 0) return 'no other account'
  return `${count >= mostOthers ? `${mostOthers} or more` : number(count)} other ${count === 1 ? 'account' : 'accounts'}`
}

const signIn = ({ hasPassword, issuers }: ShownCandidate): string => [...(hasPassword ? ['Password'] : []), ...issuers].join(', ')

/** Who waits for live access, longest first, with what tells one from another. */
export function CandidateTable({ candidates, next }: { candidates: readonly ShownCandidate[]; next: string | null }) {
  if (candidates.length === 0) return <p>Nobody waits for a review.</p>
  return (
    <>
      <DataTable
        caption="Accounts in review, the longest wait first"
        rows={candidates}
        keyOf={({ id }) => id}
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
          { name: 'Waits since', cell: ({ confirmedAt }) => <Time at={confirmedAt}>{ago(confirmedAt, new Date())}</Time> },
          { name: 'Signs in with', cell: (candidate) => <span className="wrap-anywhere">{signIn(candidate)}</span> },
          { name: 'Of its domain', cell: ({ sameDomain }) => others(sameDomain) },
          { name: 'From its address', cell: ({ sameAddress }) => others(sameAddress) },
          { name: 'Test calls', isNumber: true, cell: ({ testCalls }) => number(testCalls) },
        ]}
      />
      {next === null ? null : (
        <p className="mt-3">
          <a className="prose-link" href={`/admin/review?after=${next}`}>
            Next ones
          </a>
        </p>
      )}
    </>
  )
}

/** Everything that tells whether to give somebody live access. */
export function CandidateFacts({ candidate }: { candidate: ShownCandidate }) {
  const { confirmedAt, signedUpAt, domain, sameDomain, address, sameAddress, testCalls, testedAt } = candidate
  return (
    <dl className="border-t border-line">
      <Fact name="Waits since">
        <Time at={confirmedAt} />, {ago(confirmedAt, new Date())}
      </Fact>
      <Fact name="Signed up">
        <Time at={signedUpAt} />
        {candidate.name === '' ? '' : ` as ${candidate.name}`}
      </Fact>
      <Fact name="Will build">{candidate.purpose === '' ? 'Not said' : candidate.purpose}</Fact>
      <Fact name="Signs in with">{signIn(candidate)}</Fact>
      <Fact name="Email domain">
        {domain}: {others(sameDomain)}
      </Fact>
      <Fact name="Signed up from">{address === null ? 'Not known' : `${address}: ${others(sameAddress)}`}</Fact>
      <Fact name="Test keys">
        {testCalls === 0 && testedAt === null ? 'Not used yet' : `${number(testCalls)} ${testCalls === 1 ? 'call' : 'calls'}`}
        {testedAt === null ? null : (
          <>
            , the last <Time at={testedAt} />
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

const alike = ({ hasSameAddress, hasSameDomain }: ShownSimilar): string =>
  [...(hasSameDomain ? ['domain'] : []), ...(hasSameAddress ? ['address of the sign-up'] : [])].join(', ')

/** Accounts that may be the same people's. */
export function SimilarAccounts({ similar }: { similar: readonly ShownSimilar[] }) {
  if (similar.length === 0) return <p>No account shares its domain or the address of its sign-up.</p>
  return (
    <DataTable
      caption="Similar accounts"
      rows={similar}
      keyOf={({ id }) => id}
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
        { name: 'Shares its', cell: alike },
        { name: 'State', isBeside: true, cell: (one) => <AccountTags {...one} isConfirmed balanceCredits={0} isAdmin={false} /> },
        { name: 'Signed up', cell: ({ signedUpAt }) => <Time at={signedUpAt} look="day" /> },
      ]}
    />
  )
}
