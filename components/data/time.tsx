'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { utc } from '#server/api/contract/time-zones.ts'
import { type TimeLook, timeWords } from './zone-words.ts'

const ZoneContext = createContext<string>(utc)

/** In which time zone the times below are told. */
export const useTimeZone = (): string => useContext(ZoneContext)

/** Says once for all that stands in it which time zone whoever reads it has chosen. */
export function TimesIn({ zone, children }: { zone: string; children: ReactNode }) {
  return <ZoneContext value={zone}>{children}</ZoneContext>
}

const hint =
  'relative focus-visible:after:absolute focus-visible:after:top-full focus-visible:after:left-0 focus-visible:after:z-10 focus-visible:after:mt-1 focus-visible:after:rounded-control focus-visible:after:bg-surface focus-visible:after:p-2 focus-visible:after:text-note focus-visible:after:whitespace-nowrap focus-visible:after:text-ink focus-visible:after:shadow-float focus-visible:after:content-[attr(data-exact)]'

type Props = {
  /** A moment, or its ISO 8601 text. */
  at: Date | string
  look?: TimeLook
  /** Whether the keyboard stops at it. Not in a link, nor where there are many of them. */
  isStop?: boolean
  /** Other words for the moment, such as how long ago it was. */
  children?: ReactNode
}

/**
 * A moment in the time zone that was chosen, which the server knows as well. Pointed at, or reached with the keyboard, it says what it is exactly in UTC. A
 * browser whose names of time zones are others than the server's leaves the words that came.
 */
export function Time({ at, look = 'minute', isStop = false, children }: Props) {
  const zone = useTimeZone()
  const moment = new Date(at)
  const exact = timeWords(moment, utc, 'second')
  return (
    <time dateTime={moment.toISOString()} title={exact} data-exact={exact} suppressHydrationWarning {...(isStop ? { tabIndex: 0, className: hint } : {})}>
      {children ?? timeWords(moment, zone, look)}
    </time>
  )
}
