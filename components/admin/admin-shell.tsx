import { Fragment, type ReactNode } from 'react'
import { AppShell, NavHeading, NavLink } from '#components/site/app-shell.tsx'
import { adminIcons } from '#components/site/nav-icons.tsx'
import type { Who } from '#components/site/who.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { type AdminPage, adminGroups, adminPages } from './admin-pages.ts'

type Props = { current: AdminPage | undefined; who: Who; csrfToken: string; children: ReactNode }

function AdminNav({ current }: Pick<Props, 'current'>) {
  return (
    <nav aria-label="Admin" className="flex flex-col gap-y-0.5">
      {[null, ...adminGroups].map((shown) => (
        <Fragment key={shown}>
          {shown === null ? null : <NavHeading>{shown}</NavHeading>}
          {adminPages
            .filter(({ group }) => group === shown)
            .map(({ id, href, name }) => (
              <NavLink key={id} href={href} icon={adminIcons[id]} isCurrent={id === current}>
                {name}
              </NavLink>
            ))}
        </Fragment>
      ))}
    </nav>
  )
}

const links = [
  { href: '/portal', name: 'My portal' },
  { href: '/portal/settings', name: 'Settings' },
] as const

/** Layout of admin pages: the portal's layout with a dark bar. */
export function AdminShell({ current, who, csrfToken, children }: Props) {
  return (
    <AppShell home="/admin" label="Admin" tone="ink" scope="admin" who={who} links={links} csrfToken={csrfToken} nav={<AdminNav current={current} />}>
      {children}
    </AppShell>
  )
}

/** Shown in place of the admin area until the user has entered a second factor in this session. */
export function SecondFactorFirst({ isSetUp }: { isSetUp: boolean }) {
  if (isSetUp)
    return (
      <>
        <h1 className="mb-6 text-h1 font-semibold tracking-tight">Enter your code first</h1>
        <p className="mb-6 max-w-prose">You signed in without an authentication code. Enter one to open the admin area.</p>
        <ButtonLink kind="primary" href="/sign-in/confirm?next=/admin">
          Enter a code
        </ButtonLink>
      </>
    )
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Two-factor sign-in required</h1>
      <p className="mb-6 max-w-prose">The admin area needs two-factor sign-in. Turn it on in your settings, then come back.</p>
      <ButtonLink kind="primary" href="/portal/settings/security#second-factor">
        Turn on two-factor sign-in
      </ButtonLink>
    </>
  )
}
