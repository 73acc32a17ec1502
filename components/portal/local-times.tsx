'use client'

import { useEffect } from 'react'
import { localMoment } from '#components/data/local-moment.ts'

function say(event: Event): void {
  const time = event.target instanceof Element ? event.target.closest('time[data-exact]') : null
  if (!(time instanceof HTMLTimeElement)) return
  const words = localMoment(new Date(time.dateTime))
  if (time.title.endsWith(words)) return
  time.title = `${time.title}; ${words}`
  time.dataset['exact'] = time.title
}

/** Says of every time on the page what it is where the reader is, when it is pointed at or focused. For those who chose no time zone. */
export function LocalTimes() {
  useEffect(() => {
    const kinds = ['pointerover', 'focusin'] as const
    for (const kind of kinds) document.addEventListener(kind, say)
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, say)
    }
  }, [])
  return null
}
