'use client'

import { CircleQuestionMark, LogOut, type LucideIcon, Monitor, Moon, Settings, ShieldUser, Sun, UserRound } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { Menu, MenuChoice, MenuLine, MenuLink, MenuSubmit } from '#components/ui/menu.tsx'
import { type AccountChoice, AccountChoices } from './account-choices.tsx'
import { getTheme, type Theme } from './theme-choice.ts'
import { applyTheme, themeNames } from './theme-switch.tsx'
import type { Who } from './who.ts'

const icon = (Icon: LucideIcon) => <Icon aria-hidden="true" className="size-4 shrink-0" />

const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const satisfies Record<Theme, LucideIcon>
const linkIcons = { '/portal/settings': Settings, '/portal/help': CircleQuestionMark, '/admin': ShieldUser, '/portal': UserRound } as const

/** Accounts that the user can switch to, and the public id of the one that is shown. */
export type Accounts = { readonly accounts: readonly AccountChoice[]; readonly shown: string }

/** Page that the menu links to. */
export type MenuTarget = { readonly href: keyof typeof linkIcons; readonly name: string }

type Props = {
  who: Who
  /** Accounts that the user can switch to, and the public id of the one that is shown. Missing if there is no other. */
  accounts?: Accounts
  links: readonly MenuTarget[]
  /** id of the sign-out form. */
  form: string
  anchor: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}

/** Content of the account menu: who is signed in, links, theme, sign-out. */
export function AccountMenuItems({ who, accounts, links, form, ...menu }: Props) {
  const [theme, setTheme] = useState(() => getTheme(document.documentElement.dataset['theme']))
  const choose = (next: Theme) => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <Menu {...menu}>
      <div className="px-2.5 pt-1.5 pb-2">
        {who.name === '' ? null : <p className="truncate font-medium">{who.name}</p>}
        <p className={`truncate ${who.name === '' ? 'font-medium' : 'text-note text-ink-2'}`}>{who.email}</p>
      </div>
      <MenuLine />
      {accounts ? <AccountChoices {...accounts} /> : null}
      {links.map(({ href, name }) => (
        <MenuLink key={href} href={href} icon={icon(linkIcons[href])}>
          {name}
        </MenuLink>
      ))}
      <MenuLine />
      <MenuChoice
        label="Theme"
        value={theme}
        choices={(['system', 'light', 'dark'] as const).map((value) => ({ value, name: themeNames[value], icon: icon(themeIcons[value]) }))}
        choose={choose}
      />
      <MenuLine />
      <MenuSubmit form={form} icon={icon(LogOut)}>
        Sign out
      </MenuSubmit>
    </Menu>
  )
}
