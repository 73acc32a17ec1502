import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { NameForm, TimeZoneForm } from '#components/portal/settings/profile-settings.tsx'
import { SettingsSection as Section } from '#components/portal/settings/settings-parts.tsx'
import { ThemeSwitch } from '#components/site/theme-switch.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { limitedFault } from '#server/api/contract/teams.ts'
import { zoneOffsets } from '#server/api/contract/time-zones.ts'
import { signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Settings' }

type Props = { searchParams: Promise<{ done?: string }> }

export default async function ProfilePage({ searchParams }: Props) {
  const { member, timeZone, state, limitedTo } = await signedIn()
  if (state === 'blocked') return null
  const { done } = await searchParams
  // Old emails and bookmarks link to the single settings page of earlier versions.
  if (done !== undefined && done !== 'time-zone') redirect(`/portal/settings/security?done=${encodeURIComponent(done)}`)
  return (
    <>
      {done === undefined ? null : (
        <div className="mb-6">
          <Notice tone="good">Time zone saved.</Notice>
        </div>
      )}
      <Section id="profile" title="Profile" isTitleHidden>
        {limitedTo === null ? <NameForm name={member.name} /> : <Notice tone="info">{limitedFault}</Notice>}
      </Section>
      {limitedTo === null ? (
        <Section id="times" title="Times" isTitleHidden>
          <TimeZoneForm chosen={timeZone} zones={zoneOffsets(Date.now())} />
        </Section>
      ) : null}
      <Section id="appearance" title="Appearance" isTitleHidden>
        <ThemeSwitch />
      </Section>
    </>
  )
}
