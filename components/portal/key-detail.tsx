import { Time } from '#components/data/time.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { credits, number, pounds } from './amounts.ts'
import { isCapReached, nextMonth } from './cap-words.ts'
import { Fact } from './fact.tsx'
import { KeyStateTag, LastUse, ModeTag, oldKeyWords, type ShownKey } from './key-table.tsx'
import { ReviewNotice } from './review-notice.tsx'

type Detail = ShownKey & { readonly addresses: readonly string[]; readonly createdAt: Date; readonly replacedBy: string | null }

function spentOf(key: Detail): string {
  const { mode, spentCredits, capCredits } = key
  if (mode === 'test') return 'Nothing: test keys are free'
  const words = capCredits === null ? `${credits(spentCredits)} (${pounds(spentCredits)}), no cap` : ofCap(spentCredits, capCredits)
  return [words, oldKeyWords(key)].filter((part) => part !== null).join(', ')
}

const ofCap = (spentCredits: number, capCredits: number): string => `${number(spentCredits)} of ${credits(capCredits)} (${pounds(capCredits)})`

function End({ state, endsAt }: Pick<Detail, 'state' | 'endsAt'>) {
  if (endsAt === null) return 'Does not stop by itself'
  return (
    <>
      {state === 'active' || state === 'ending' ? 'Stops ' : 'Stopped '}
      <Time at={endsAt} isStop />
    </>
  )
}

/** Everything about a key but the key. */
export function KeyDetail({ keyOf: key, isWaiting, declineReason }: { keyOf: Detail; isWaiting: boolean; declineReason: string | null }) {
  return (
    <>
      <p className="mb-2">
        <a className="prose-link" href="/portal/keys">
          Keys
        </a>
      </p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{key.name === '' ? 'Key without a name' : key.name}</h1>
        <ModeTag mode={key.mode} />
        <KeyStateTag {...key} />
      </div>
      {isWaiting ? <ReviewNotice declineReason={declineReason} /> : null}
      {isCapReached(key) ? (
        <div className="mb-6">
          <Notice tone="caution">
            This key has spent its cap. Its calls are refused until <Time at={nextMonth(new Date())} isStop />. To go on before then, create another key.
          </Notice>
        </div>
      ) : null}
      <dl className="border-t border-line">
        <Fact name="Key">
          <code className="font-mono text-table">{key.hint}</code>
        </Fact>
        <Fact name="May read">
          <code className="font-mono text-table">{key.scopes.join(', ')}</code>
        </Fact>
        <Fact name="Addresses">{key.addresses.length === 0 ? 'Every address' : <code className="font-mono text-table">{key.addresses.join(', ')}</code>}</Fact>
        <Fact name="Spent this month">{spentOf(key)}</Fact>
        <Fact name="Last used">
          <LastUse {...key} />
        </Fact>
        <Fact name="Made">
          <Time at={key.createdAt} isStop />
        </Fact>
        <Fact name="End">
          <End {...key} />
        </Fact>
        {key.replacedBy === null ? null : (
          <Fact name="Replaced by">
            <a className="prose-link" href={`/portal/keys/${key.replacedBy}`}>
              Its new key
            </a>
          </Fact>
        )}
      </dl>
    </>
  )
}
