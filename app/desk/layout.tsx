import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { deskPageOf } from '../../components/admin/desk-pages.ts'
import { DeskShell } from '../../components/admin/desk-shell.tsx'
import { SecondFactorFirst } from '../../components/admin/second-factor-first.tsx'
import { whoIs } from '../../components/site/who-is.ts'
import { TimesIn } from '../../components/ui/time.tsx'
import { currentPath } from '../../server/auth/current-request.ts'
import { mayAdminister } from '../../server/auth/viewer.ts'
import { atDesk } from '../desk-caller.ts'
import { missing } from '../missing.tsx'
import { signOutAction } from '../portal/actions.ts'

export const metadata: Metadata = { robots: { index: false } }

/** The way here is open to administrators alone (proxy.ts); this is what holds whatever the way. */
export default async function DeskLayout({ children }: { children: ReactNode }) {
  const viewer = await atDesk()
  if (viewer === null) return missing()
  return (
    <TimesIn zone={viewer.timeZone}>
      <DeskShell current={deskPageOf(await currentPath())} who={whoIs(viewer)} signOut={signOutAction}>
        {mayAdminister(viewer) ? children : <SecondFactorFirst isSetUp={viewer.hasSecondFactor} />}
      </DeskShell>
    </TimesIn>
  )
}
