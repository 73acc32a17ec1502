'use client'

import { Ban, Pencil, RefreshCw } from 'lucide-react'
import type { RefObject } from 'react'
import { Menu, MenuLink } from '#components/ui/menu.tsx'

export type KeyMenuData = {
  readonly id: string
  /** False for a replaced key, which can only be revoked. */
  readonly isActive: boolean
}

type Props = KeyMenuData & { anchor: RefObject<HTMLButtonElement | null>; isOpen: boolean; setOpen: (isOpen: boolean) => void }

const icon = 'size-4 shrink-0'

/** Content of a key's menu: links to the forms on its page. */
export function KeyMenuItems({ id, isActive, ...menu }: Props) {
  const page = `/portal/keys/${id}`
  return (
    <Menu {...menu}>
      {isActive ? (
        <>
          <MenuLink href={`${page}#rotate`} icon={<RefreshCw aria-hidden="true" className={icon} />}>
            Rotate
          </MenuLink>
          <MenuLink href={`${page}?edit=1`} icon={<Pencil aria-hidden="true" className={icon} />}>
            Edit
          </MenuLink>
        </>
      ) : null}
      <MenuLink href={`${page}#revoke`} icon={<Ban aria-hidden="true" className={icon} />}>
        Revoke
      </MenuLink>
    </Menu>
  )
}
