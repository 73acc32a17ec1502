import type { ReactNode } from 'react'
import { AppShell } from '#components/site/app-shell.tsx'
import { navLink } from '#components/site/nav-link.ts'
import { SignOut } from '#components/site/sign-out.tsx'
import { type AdminPage, adminPages } from './admin-pages.ts'

type Props = { current: AdminPage | undefined; who: string; signOut: () => Promise<void>; children: ReactNode }

function AdminNav({ current, signOut }: Pick<Props, 'current' | 'signOut'>) {
  return (
    <nav aria-label="Admin" className="flex flex-col">
      {adminPages.map(({ id, href, name }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined} className={navLink}>
          {name}
        </a>
      ))}
      <hr className="my-3 border-line" />
      <a href="/portal" className={navLink}>
        My portal
      </a>
      <hr className="my-3 border-line" />
      <SignOut action={signOut} />
    </nav>
  )
}

/** Layout of admin pages: the portal's layout with a dark bar. */
export function AdminShell({ current, who, signOut, children }: Props) {
  return (
    <AppShell home="/admin" label="Admin" tone="ink" who={who} nav={<AdminNav current={current} signOut={signOut} />}>
      {children}
    </AppShell>
  )
}
