import type { ReactNode } from 'react'
import { BackLink } from './back-link.tsx'

type Props = {
  title: ReactNode
  /** Parent page, linked above the title. */
  parent?: { readonly href: string; readonly name: string }
  /** True if tabs follow. */
  isTabbed?: boolean
  /** Buttons of the page, at the end of the line. */
  children?: ReactNode
}

/** Title of a signed-in page, with its buttons. Equally tall with and without buttons, so that titles never move between pages. */
export function PageHead({ title, parent, isTabbed = false, children }: Props) {
  return (
    <>
      {parent === undefined ? null : <BackLink {...parent} />}
      <div className={`${isTabbed ? 'mb-2' : 'mb-6'} flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-3 lg:min-h-9`}>
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{title}</h1>
        {children}
      </div>
    </>
  )
}
