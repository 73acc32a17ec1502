import { Time } from '#components/data/time.tsx'
import { Tag, type Tone } from '#components/ui/tag.tsx'
import { credits, number, took } from './amounts.ts'
import { ModeTag } from './key-table.tsx'

type FreeReason = 'error' | 'unchanged' | 'test' | 'free' | 'replay' | 'no rows'

type ShownCharge = {
  readonly units: number
  readonly per: 'row' | 'request'
  readonly unitCredits: number
  readonly credits: number
  readonly freeBy: FreeReason | null
}

const shortReasons = {
  error: 'error',
  unchanged: 'not modified',
  test: 'test key',
  free: 'free endpoint',
  replay: 'replay',
  'no rows': 'no rows',
} as const satisfies Record<FreeReason, string>

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

/** Explains the charge for a call in short form, for a table column: `5 rows × 1`, `test key`. */
function shortChargeText(charge: ShownCharge): string {
  return charge.freeBy === null ? `${counted(charge)} × ${number(charge.unitCredits)}` : shortReasons[charge.freeBy]
}

function getTone(status: number): Tone {
  if (status >= 500) return 'danger'
  if (status >= 400) return 'caution'
  return status === 304 ? 'plain' : 'good'
}

type Props = {
  status: number
  error: string | null
  /** Hides the error code on narrow screens. */
  isShort?: boolean
}

/** HTTP status of a response, with its error code. */
export function HttpStatus({ status, error, isShort = false }: Props) {
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

const heads = [
  ['Time', ''],
  ['Request', ''],
  ['Status', ''],
  ['Key', ''],
  ['Time taken', 'text-right'],
  ['Credits', 'text-right'],
  ['Balance', 'text-right'],
] as const

const cell = 'px-2 py-2 align-top first:pl-0 last:pr-0'
const numbers = `${cell} text-right tabular-nums whitespace-nowrap`
/** On a phone a request has two lines: call and status, then time, key and price. */
const onPhone = 'max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-3 max-sm:py-2'

function Row({ request }: { request: ShownRequest }) {
  const { id, at, method, target, endpoint, status, error, key, charge, balanceAfter, tookMs } = request
  return (
    <tr className={`border-b border-line ${onPhone}`}>
      <td className={`${cell} tabular-nums max-sm:order-3 max-sm:p-0 sm:whitespace-nowrap max-sm:text-note max-sm:text-ink-2`}>
        <Time at={at} look="row" />
        <span className="sm:hidden"> · {key.name}</span>
      </td>
      <th scope="row" className={`${cell} min-w-0 text-left font-normal max-sm:order-1 max-sm:p-0`}>
        <a className="prose-link font-mono text-table wrap-anywhere" href={`/portal/requests/${id}`}>
          {target === null ? endpoint.name : `${method} ${target}`}
        </a>
        <code className="mt-0.5 block font-mono text-note text-ink-3 max-xl:hidden">{id}</code>
      </th>
      <td className={`${cell} max-sm:order-2 max-sm:p-0 max-sm:text-right`}>
        <HttpStatus status={status} error={error} isShort />
      </td>
      <td className={`${cell} max-sm:hidden`}>
        <span className="inline-flex flex-wrap items-baseline gap-x-2 wrap-anywhere">
          {key.name} <ModeTag mode={key.mode} />
        </span>
      </td>
      <td className={`${numbers} max-sm:hidden`}>{took(tookMs)}</td>
      <td className={`${numbers} max-sm:order-4 max-sm:p-0 max-sm:text-note`}>
        {number(charge.credits)}
        <span className="block text-note text-ink-2 max-sm:inline max-sm:before:content-['_·_']">{shortChargeText(charge)}</span>
      </td>
      <td className={`${numbers} max-sm:hidden`}>{number(balanceAfter)}</td>
    </tr>
  )
}

/** Table of requests, newest first. `isBusy` is true while newer requests are loading; the current rows stay visible. */
export function RequestTable({ requests, isBusy = false }: { requests: readonly ShownRequest[]; isBusy?: boolean }) {
  return (
    <table className="w-full text-table max-sm:block" aria-busy={isBusy}>
      <caption className="sr-only">Requests, newest first</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line-strong text-ink-2">
          {heads.map(([name, look]) => (
            <th key={name} scope="col" className={`h-10 px-2 text-left font-medium first:pl-0 last:pr-0 ${look}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {requests.map((request) => (
          <Row key={request.id} request={request} />
        ))}
      </tbody>
    </table>
  )
}
