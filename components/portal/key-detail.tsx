import type { ReactNode } from 'react'
import { Notice } from '../ui/notice.tsx'
import { Time } from '../ui/time.tsx'
import { credits, number, pounds } from './amounts.ts'
import { capReachedWords, isCapReached } from './cap-words.ts'
import { KeyStateTag, LastUse, ModeTag, type ShownKey } from './key-table.tsx'
import { ReviewNotice } from './review-notice.tsx'

type Detail = ShownKey & { readonly addresses: readonly string[]; readonly createdAt: Date; readonly replacedBy: string | null }

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-b border-line py-2.5 sm:grid-cols-[12rem_1fr]">
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}

function spentOf({ mode, spentCredits, capCredits }: Detail): string {
  if (mode === 'test') return 'Nothing: test keys are free'
  if (capCredits === null) return `${credits(spentCredits)} (${pounds(spentCredits)}), no cap`
  return `${number(spentCredits)} of ${credits(capCredits)} (${pounds(capCredits)})`
}

function End({ state, endsAt }: Pick<Detail, 'state' | 'endsAt'>) {
  if (endsAt === null) return 'Does not stop by itself'
  return (
    <>
      {state === 'active' || state === 'ending' ? 'Stops ' : 'Stopped '}
      <Time at={endsAt} />
    </>
  )
}

/** Everything about a key but the key. */
export function KeyDetail({ keyOf: key, isWaiting }: { keyOf: Detail; isWaiting: boolean }) {
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
      {isWaiting ? <ReviewNotice /> : null}
      {isCapReached(key) ? (
        <div className="mb-6">
          <Notice tone="caution">{capReachedWords(new Date())}</Notice>
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
          <Time at={key.createdAt} />
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
