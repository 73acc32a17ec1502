'use client'

import { type MouseEvent, useEffect, useState } from 'react'

type SearchParameters = Readonly<Record<string, string>>

const currentParameters = (): SearchParameters => Object.fromEntries(new URLSearchParams(location.search))

/** True for a click that isn't meant to open a new tab or window. */
export const isPlainClick = (event: MouseEvent): boolean => event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** View of a page that is stored in the URL. Changing it adds an entry to the browser's history, or replaces the current one, without loading the page. */
export function useUrlView<View>(initial: View, read: (parameters: SearchParameters) => View, href: (view: View) => string) {
  const [view, setView] = useState(initial)
  useEffect(() => {
    const onPopState = () => setView(read(currentParameters()))
    addEventListener('popstate', onPopState)
    return () => removeEventListener('popstate', onPopState)
  }, [read])
  const show = (next: View, isReplacing = false) => {
    if (isReplacing) history.replaceState(null, '', href(next))
    else history.pushState(null, '', href(next))
    setView(next)
  }
  /** Attributes of a link to another view. */
  const linkTo = (next: View) => ({
    href: href(next),
    onClick: (event: MouseEvent) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      show(next)
    },
  })
  return { view, show, linkTo }
}

export type LinkTo<View> = ReturnType<typeof useUrlView<View>>['linkTo']
