import { Time } from '#components/data/time.tsx'
import { number } from './amounts.ts'
import { type ShownCharge, shortChargeText } from './charge-text.ts'
import { HttpStatus } from './http-status.tsx'
import { ModeTag } from './key-table.tsx'
import { took } from './took.ts'

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

/** Table of requests, newest first. `isBusy` is set while newer ones are loading; the current rows stay. */
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
