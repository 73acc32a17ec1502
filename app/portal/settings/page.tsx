import type { Metadata } from 'next'
import { HistoryList } from '#components/portal/history-list.tsx'
import { doneMessage, Settings } from '#components/portal/settings.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { timeZones } from '#server/api/contract/time-zones.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import * as actions from './actions.ts'

export const metadata: Metadata = { title: 'Settings' }

type Props = { searchParams: Promise<{ done?: string; before?: string }> }

const settingsActions = {
  rename: actions.renameAction,
  setTimeZone: actions.setTimeZoneAction,
  changeEmail: actions.changeEmailAction,
  changePassword: actions.changePasswordAction,
  secondFactor: actions.secondFactorAction,
  provider: actions.providerAction,
  endSession: actions.endSessionAction,
  signOutEverywhere: actions.signOutEverywhereAction,
  closeAccount: actions.closeAccountAction,
}

export default async function SettingsPage({ searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { done, before } = await searchParams
  const portal = await portalCaller()
  const [facts, sessions, history, { balanceCredits }] = await Promise.all([
    portal.security.read(),
    portal.session.list(),
    portal.profile.history({ before: before !== undefined && /^\d{1,18}$/.test(before) ? before : null }),
    portal.account.overview(),
  ])
  const message = doneMessage(done)
  const changes = <HistoryList lines={history.lines} older={history.next} />
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Settings</h1>
      {message === null ? null : (
        <div className="mb-6">
          <Notice tone={done === 'not-connected' ? 'caution' : 'good'}>{message}</Notice>
        </div>
      )}
      <Settings {...viewer} zones={timeZones()} balanceCredits={balanceCredits} facts={facts} sessions={sessions} actions={settingsActions} history={changes} />
    </>
  )
}
