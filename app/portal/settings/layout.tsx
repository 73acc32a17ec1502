import type { ReactNode } from 'react'
import { SubNavigation } from '#components/portal/sub-navigation.tsx'
import { currentPath } from '#server/auth/current-request.ts'

const pages = [
  { href: '/portal/settings', name: 'Profile' },
  { href: '/portal/settings/security', name: 'Security' },
  { href: '/portal/settings/notifications', name: 'Notifications' },
  { href: '/portal/settings/members', name: 'Members' },
  { href: '/portal/settings/account', name: 'Account' },
] as const

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <h1 className="mb-4 text-h1 font-semibold tracking-tight">Settings</h1>
      <SubNavigation label="Settings" pages={pages} path={await currentPath()} />
      {children}
    </>
  )
}
