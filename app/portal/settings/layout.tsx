import type { ReactNode } from 'react'
import { SubNavigation } from '#components/portal/sub-navigation.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
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
      <PageHead title="Settings" isTabbed />
      <SubNavigation label="Settings" pages={pages} path={await currentPath()} />
      {children}
    </>
  )
}
