'use client'

import { useEffect } from 'react'
import { localMoment } from '#components/data/time-format.ts'

function addLocalTime(event: Event): void {
  const time = event.target instanceof Element ? event.target.closest('time[data-exact]') : null
  if (!(time instanceof HTMLTimeElement)) return
  const local = localMoment(new Date(time.dateTime))
  if (time.title.endsWith(local)) return
  time.title = `${time.title}; ${local}`
  time.dataset['exact'] = time.title
}

/** Adds the local time to the tooltip of every time on the page, on hover or focus. For accounts without a chosen time zone. */
export function LocalTimes() {
  useEffect(() => {
    const kinds = ['pointerover', 'focusin'] as const
    for (const kind of kinds) document.addEventListener(kind, addLocalTime)
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, addLocalTime)
    }
  }, [])
  return null
}
