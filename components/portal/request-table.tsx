'use client'

import { ChevronRight } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Time, useTimeZone } from '#components/data/time.tsx'
import { formatTime, zoneAt } from '#components/data/time-format.ts'
import { Path } from '#components/ui/phrase.tsx'
import { Tag, type Tone } from '#components/ui/tag.tsx'
import { credits, number, took } from './amounts.ts'

type FreeReason = 'error' | 'unchanged' | 'test' | 'free' | 'replay' | 'no rows'

type ShownCharge = {
  readonly units: number
  readonly per: 'row' | 'request'
  readonly unitCredits: number
  readonly credits: number
  readonly freeBy: FreeReason | null
}

const reasons = {
  error: 'Free: errors are never charged.',
  unchanged: 'Free: not modified since your last request.',
  test: 'Free: test keys are not charged.',
  free: 'Free: this endpoint has no charge.',
  replay: 'Free: replayed response, already charged under the same Idempotency-Key.',
  'no rows': 'Free: no rows returned.',
} as const satisfies Record<FreeReason, string>

const counted = ({ units, per }: ShownCharge): string => `${number(units)} ${per === 'row' ? 'row' : 'call'}${units === 1 ? '' : 's'}`

/** Explains the charge for a call, such as `5 rows × 1 credit = 5`, or why the call was free. */
export function chargeText(charge: ShownCharge): string {
  if (charge.freeBy !== null) return reasons[charge.freeBy]
  return `${counted(charge)} × ${credits(charge.unitCredits)} = ${number(charge.credits)}`
}

/** Explains the charge for a call in short form, for a table column: `5 rows × 1`. Null if the number of credits says as much. */
function shortChargeText(charge: ShownCharge): string | null {
  return charge.freeBy === null && charge.credits !== 1 ? `${counted(charge)} × ${number(charge.unitCredits)}` : null
}

const getTone = (status: number): Tone => (status >= 500 ? 'danger' : 'caution')

type Props = {
  status: number
  error: string | null
  /** Hides the error code on narrow screens. */
  isShort?: boolean
}

/** HTTP status of a response, with its error code. Only errors are tags, so that they stand out. */
export function HttpStatus({ status, error, isShort = false }: Props) {
  if (status < 400) return <span className="text-ink-2 tabular-nums">{status}</span>
  return (
    <Tag tone={getTone(status)}>
      {status}
      {error === null ? null : <span className={isShort ? 'max-md:sr-only' : undefined}> {error}</span>}
    </Tag>
  )
}

export type ShownRequest = {
  readonly id: string
  readonly at: Date
  readonly tookMs: number
  readonly endpoint: { readonly id: string; readonly name: string }
  readonly method: string
  readonly target: string | null
  readonly status: number
  readonly error: string | null
  readonly key: { readonly id: string; readonly name: string; readonly mode: 'test' | 'live' }
  readonly charge: ShownCharge
  readonly balanceAfter: number
}

/** Headings of the columns after the time. */
const heads = [
  ['Status', ''],
  ['Request', 'w-full'],
  ['Key', ''],
  ['Latency', 'text-right'],
  ['Charge', 'text-right max-xl:hidden'],
  ['Credits', 'text-right lg:pr-5!'],
] as const

const cell = 'px-2 first:pl-0 last:pr-0 sm:whitespace-nowrap'
/**
 * On a phone a request has two lines: call and status, then time, key and price. The columns of one line don't depend on those of the other. The arrow is on the
 * right of both.
 */
const onPhone = 'max-sm:flex max-sm:flex-wrap max-sm:content-center max-sm:items-center max-sm:gap-x-3 max-sm:pr-6'

/** Tag of a test key. Live keys, the usual case, have no tag. */
function TestTag({ mode }: Pick<ShownRequest['key'], 'mode'>) {
  return mode === 'test' ? <Tag tone="test">Test</Tag> : null
}

/** Handles a click on a request's link. */
type Open = (event: MouseEvent, id: string) => void

function Row({ request, isNew, onOpen }: { request: ShownRequest; isNew: boolean; onOpen: Open | undefined }) {
  const { id, at, method, target, endpoint, status, error, key, charge, tookMs } = request
  return (
    <tr className={`relative h-14 border-b border-line hover:bg-hover sm:h-8.5 ${isNew ? 'bg-accent-wash' : ''} ${onPhone}`}>
      <td
        className={`${cell} tabular-nums max-sm:order-3 max-sm:min-w-0 max-sm:grow max-sm:basis-1/2 max-sm:truncate max-sm:p-0 max-sm:text-note max-sm:text-ink-2`}
      >
        <Time at={at} look="clock in heading" />
        <span className="sm:hidden">
          {' '}
          · {key.name} <TestTag mode={key.mode} />
        </span>
      </td>
      <td className={`${cell} max-sm:order-2 max-sm:ml-auto max-sm:p-0`}>
        <HttpStatus status={status} error={error} isShort />
      </td>
      <th
        scope="row"
        className={`${cell} max-w-0 min-w-40 text-left font-normal max-sm:order-1 max-sm:max-w-none max-sm:min-w-0 max-sm:grow max-sm:basis-[calc(100%-4rem)] max-sm:p-0`}
      >
        <a
          className="block truncate font-mono text-table text-ink underline-offset-3 after:absolute after:inset-0 hover:underline"
          href={`/portal/requests/${id}`}
          title={target === null ? undefined : `${method} ${target}`}
          onClick={onOpen && ((event) => onOpen(event, id))}
        >
          <Path text={target === null ? endpoint.name : `${method} ${target}`} size="text-note" />
        </a>
      </th>
      <td className={`${cell} max-sm:hidden`}>
        <span className="flex max-w-44 items-center gap-1.5">
          <span className="truncate" title={key.name}>
            {key.name}
          </span>
          <TestTag mode={key.mode} />
        </span>
      </td>
      <td className={`${cell} text-right tabular-nums max-sm:hidden`}>{took(tookMs)}</td>
      <td className={`${cell} text-right text-ink-2 tabular-nums max-xl:hidden`}>{shortChargeText(charge)}</td>
      <td className={`${cell} text-right tabular-nums max-sm:order-4 max-sm:p-0 max-sm:text-note`}>
        {charge.freeBy === null ? (
          <>
            {number(charge.credits)}
            <span className="sm:hidden"> {charge.credits === 1 ? 'credit' : 'credits'}</span>
          </>
        ) : (
          <span className="text-ink-2">Free</span>
        )}
        <ChevronRight
          aria-hidden="true"
          className="inline-block size-4 text-ink-3 max-sm:absolute max-sm:inset-y-0 max-sm:right-0 max-sm:my-auto sm:max-lg:hidden lg:ml-1 lg:align-[-0.2em]"
        />
      </td>
    </tr>
  )
}

type TableProps = {
  requests: readonly ShownRequest[]
  /** True while newer requests are loading; the current rows stay visible. */
  isBusy?: boolean
  /** Later requests are marked as new. */
  newSince?: Date | null
  onOpen?: Open | undefined
}

/** Table of requests, newest first, with a heading for each day of the user's time zone. */
export function RequestTable({ requests, isBusy = false, newSince = null, onOpen }: TableProps) {
  const zone = useTimeZone()
  const zones = [...new Set(requests.map(({ at }) => zoneAt(new Date(at), zone)))].join(' / ')
  const days = [...Map.groupBy(requests, ({ at }) => formatTime(new Date(at), zone, 'day'))]
  return (
    <table className="w-full text-table max-sm:block" aria-busy={isBusy}>
      <caption className="sr-only">Requests, newest first</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line-strong text-ink-2">
          <th scope="col" className="h-8 pr-2 text-left font-medium whitespace-nowrap" suppressHydrationWarning>
            Time ({zones})
          </th>
          {heads.map(([name, look]) => (
            <th key={name} scope="col" className={`h-8 px-2 text-left font-medium last:pr-0 ${look}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {days.map(([day, ofDay]) => (
        <tbody key={day} className="max-sm:block">
          <tr className="max-sm:block">
            <th scope="rowgroup" colSpan={heads.length + 1} className="pt-2 pb-1 text-left text-note font-medium text-ink-2 max-sm:block">
              {day}
              <span aria-hidden="true" className="sm:hidden" suppressHydrationWarning>
                {' '}
                ({zones})
              </span>
            </th>
          </tr>
          {ofDay.map((request) => (
            <Row key={request.id} request={request} isNew={newSince !== null && new Date(request.at) > newSince} onOpen={onOpen} />
          ))}
        </tbody>
      ))}
    </table>
  )
}
