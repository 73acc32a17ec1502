import { LedgerTable } from '#components/portal/billing/ledger-table.tsx'
import type { Line } from '#components/portal/billing/ledger-words.ts'
import type { ShownKey } from '#components/portal/key-table.tsx'
import type { ShownRequest } from '#components/portal/request-table.tsx'
import type { Session } from '#components/portal/session-list.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { AdminAccount } from '#server/api/contract/admin-account.ts'
import { AccountActions, type AccountFormActions } from './account-actions.tsx'
import { AccountFacts } from './account-facts.tsx'
import { AccountHistory, type HistoryLine } from './account-history.tsx'
import { KeyList, Notes, type ShownNote, type ShownUse, type ShownWebhooks, SignIns, UseTable, WebhookPart } from './account-parts.tsx'
import { AccountTags } from './account-tags.tsx'
import { AccountWays } from './account-ways.tsx'
import { doneWords } from './action-messages.ts'
import { CallTable } from './call-table.tsx'
import { linePlaces } from './line-places.ts'
import type { ShownLetter } from './preview-state.ts'
import { accountHref, Section } from './section.tsx'

/** Everything that the desk knows of an account. */
export type AccountSight = {
  readonly account: AdminAccount
  readonly failed: readonly ShownRequest[]
  readonly ledger: readonly Line[]
  readonly usage: readonly ShownUse[]
  readonly keys: readonly ShownKey[]
  readonly webhooks: ShownWebhooks
  readonly sessions: readonly Session[]
  readonly notes: readonly ShownNote[]
  readonly history: { readonly lines: readonly HistoryLine[]; readonly next: string | null }
  readonly letter: ShownLetter
}

function Money({ sight: { account, ledger, usage } }: { sight: AccountSight }) {
  return (
    <>
      <Section id="ledger" title="Where its credits went" more={{ href: accountHref(account.id, '/ledger'), name: 'Whole ledger' }}>
        {ledger.length === 0 ? (
          <p>No credits have come or gone.</p>
        ) : (
          <LedgerTable caption="Newest lines of the ledger" lines={ledger} isNewest marked={null} places={linePlaces(account.id)} />
        )}
      </Section>
      <Section id="usage" title="Used in the last 7 days">
        <UseTable groups={usage} />
      </Section>
    </>
  )
}

function Access({ sight: { keys, webhooks, sessions } }: { sight: AccountSight }) {
  return (
    <>
      <Section id="keys" title="Keys">
        <KeyList keys={keys} />
      </Section>
      <Section id="webhooks" title="Webhooks">
        <WebhookPart webhooks={webhooks} />
      </Section>
      <Section id="sessions" title="Signed in">
        <SignIns sessions={sessions} />
      </Section>
    </>
  )
}

type Props = { sight: AccountSight; actions: AccountFormActions; done: string | undefined }

/** An account at the desk: how it stands, what can be done, why its calls failed, where its credits went, and what was done about it. */
export function AccountPage({ sight, actions, done }: Props) {
  const { account, failed, keys, webhooks, sessions, notes, history, letter } = sight
  const said = done === undefined ? undefined : doneWords[done]
  return (
    <>
      <p className="mb-2">
        <a className="prose-link" href="/admin/accounts">
          Accounts
        </a>
      </p>
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{account.email}</h1>
        <AccountTags {...account} />
      </div>
      {said === undefined ? null : (
        <div role="status" className="mb-6">
          <Notice tone="good">{said}</Notice>
        </div>
      )}
      <AccountFacts account={account} />
      <AccountWays account={account.id} />
      <Section id="actions" title="What can be done">
        {/* Whatever was done is a line of the history: with it every form is new. */}
        <AccountActions
          key={history.lines[0]?.id}
          account={account}
          actions={actions}
          hasWebhooks={webhooks.isOn}
          sessionCount={sessions.length}
          keys={keys}
          letter={letter}
        />
      </Section>
      <Section id="failed" title="Calls that failed" more={{ href: accountHref(account.id, '/requests'), name: 'All calls' }}>
        {failed.length === 0 ? (
          <p>No call failed in the last 30 days.</p>
        ) : (
          <CallTable caption="Newest calls that failed" account={account.id} calls={failed} />
        )}
      </Section>
      <Money sight={sight} />
      <Access sight={sight} />
      <Section id="notes" title="Notes">
        <Notes key={notes[0]?.id} account={account.id} notes={notes} add={actions.addNote} />
      </Section>
      <Section id="history" title="History">
        <AccountHistory lines={history.lines} older={history.next === null ? null : accountHref(account.id, `?before=${history.next}#history`)} />
      </Section>
    </>
  )
}
