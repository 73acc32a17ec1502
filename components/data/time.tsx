'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { utc } from '#server/api/contract/time-zones.ts'
import { formatTime, type TimeLook } from './time-format.ts'

const ZoneContext = createContext<string>(utc)

/** Returns the time zone of the nearest enclosing `TimesIn`. */
export const useTimeZone = (): string => useContext(ZoneContext)

/** Sets the time zone for all times rendered inside it. */
export function TimesIn({ zone, children }: { zone: string; children: ReactNode }) {
  return <ZoneContext value={zone}>{children}</ZoneContext>
}

const hint =
  'relative focus-visible:after:absolute focus-visible:after:top-full focus-visible:after:left-0 focus-visible:after:z-10 focus-visible:after:mt-1 focus-visible:after:rounded-control focus-visible:after:bg-surface focus-visible:after:p-2 focus-visible:after:text-note focus-visible:after:whitespace-nowrap focus-visible:after:text-ink focus-visible:after:shadow-float focus-visible:after:content-[attr(data-exact)]'

type Props = {
  /** Date or ISO 8601 text. */
  at: Date | string
  look?: TimeLook
  /** Makes the time focusable. Not for times inside links or in long lists. */
  isStop?: boolean
  /** Text to show instead of the formatted time, such as "4 minutes ago". */
  children?: ReactNode
}

/**
 * Time in the chosen zone, with the exact UTC time as a tooltip on hover and focus. If the browser abbreviates the zone differently, the text rendered by the
 * server is kept.
 */
export function Time({ at, look = 'minute', isStop = false, children }: Props) {
  const zone = useTimeZone()
  const moment = new Date(at)
  const exact = formatTime(moment, utc, 'second')
  return (
    <time
      dateTime={moment.toISOString()}
      title={exact}
      data-exact={exact}
      suppressHydrationWarning
      className={isStop ? hint : look === 'row' ? 'whitespace-nowrap' : undefined}
      tabIndex={isStop ? 0 : undefined}
    >
      {children ?? formatTime(moment, zone, look)}
    </time>
  )
}
