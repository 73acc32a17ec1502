import type { Metadata } from 'next'
import { credits } from '#components/portal/amounts.ts'
import { CloseForm } from '#components/portal/settings/close-form.tsx'
import { HistoryList } from '#components/portal/settings/history-list.tsx'
import { SettingsSection as Section } from '#components/portal/settings/settings-parts.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { ownSignInFault } from '#server/api/contract/teams.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Account' }

type Props = { searchParams: Promise<{ before?: string }> }

export default async function AccountPage({ searchParams }: Props) {
  const { licenceDue, state, accountId, email, member, limitedTo } = await signedIn()
  if (state === 'blocked') return null
  const { before = '' } = await searchParams
  const { account, licence, profile } = await portalCaller()
  const [{ label }, history, { balanceCredits }] = await Promise.all([
    licence.current(),
    profile.history({ before: /^\d{1,18}$/.test(before) ? before : null }),
    account.overview(),
  ])
  return (
    <>
      <Section id="licence" title="Data Licence">
        <p>
          {licenceDue === null ? 'You have accepted ' : 'You have not accepted '}
          <a className="prose-link" href="/portal/licence">
            Data Licence {label}
          </a>
          .
        </p>
      </Section>
      <Section id="history" title="Activity" lead="Account changes, failed sign-ins and ended sessions.">
        <HistoryList lines={history.lines} older={history.next} />
      </Section>
      <Section id="close" title="Close account">
        {limitedTo === null || member.role !== 'owner' ? (
          <CloseForm balance={credits(balanceCredits)} other={member.accountId === accountId ? null : email} />
        ) : (
          <Notice tone="info">{ownSignInFault}</Notice>
        )}
      </Section>
    </>
  )
}
