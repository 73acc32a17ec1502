'use client'

import { Time } from '#components/data/time.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { NoticeBody } from '#components/ui/notice.tsx'
import { credits, number, took } from './amounts.ts'
import { Fact } from './fact.tsx'
import { ModeTag } from './key-table.tsx'
import { cutText, tryHref } from './request-notes.ts'
import type { ShownRequest } from './request-table.tsx'
import { chargeText, HttpStatus } from './request-table.tsx'

export type ShownRequestInFull = ShownRequest & {
  readonly headers: Readonly<Record<string, string>> | null
  readonly message: string | null
  readonly givenBack: boolean
}

function Fault({ error, message }: { error: string; message: string | null }) {
  return (
    <section aria-label="Error" className="mb-6">
      <NoticeBody tone="caution">
        <p className="wrap-anywhere">{message ?? 'The error message of this call was not stored.'}</p>
        <p className="mt-1">
          Not charged.{' '}
          <a className="prose-link" href={`/docs/errors/${error}`}>
            How to fix <code className="font-mono text-table">{error}</code>
          </a>
        </p>
      </NoticeBody>
    </section>
  )
}

/** Returns the response headers that can be derived from the log. */
function answerHeaders({ id, charge, balanceAfter, key }: ShownRequest): [string, string][] {
  return [
    ['X-SVC-Request-Id', id],
    ['X-SVC-Credits-Charged', String(charge.credits)],
    ['X-SVC-Credits-Balance', String(balanceAfter)],
    ...(charge.freeBy === 'replay' ? ([['X-SVC-Idempotent-Replay', 'true']] as [string, string][]) : []),
    ...(key.mode === 'test' ? ([['X-SVC-Mode', 'test']] as [string, string][]) : []),
  ]
}

function HeaderList({ title, headers }: { title: string; headers: readonly (readonly [name: string, value: string])[] }) {
  return (
    <section className="mt-6">
      <h2 className="mb-2 text-h2 font-semibold">{title}</h2>
      <dl className="border-t border-line font-mono text-table">
        {headers.map(([name, value]) => (
          <div key={name} className="grid gap-x-4 border-b border-line py-1.5 sm:grid-cols-[16rem_1fr]">
            <dt className="text-ink-2">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function KeyName({ name, href }: { name: string; href: string | null }) {
  if (href === null) return name
  return (
    <a className="prose-link" href={href}>
      {name}
    </a>
  )
}

function Charge({ request, ledger }: { request: ShownRequestInFull; ledger: string }) {
  const cut = cutText(request)
  return (
    <>
      <span className="tabular-nums">{chargeText(request.charge)}</span>
      {cut === null ? null : <span className="block text-ink-2">{cut}</span>}
      {request.givenBack ? (
        <span className="block text-ink-2">
          {credits(request.charge.credits)} refunded because the response could not be sent. See the separate entry in{' '}
          <a className="prose-link" href={ledger}>
            billing
          </a>
          .
        </span>
      ) : null}
    </>
  )
}

/** URLs of the pages related to a request, which differ for the account owner and for administrators. */
export type RequestPlaces = {
  readonly requests: string
  readonly ledger: string
  /** Returns the URL of a key's page, or null if there is none. */
  readonly key: (id: string) => string | null
  readonly line: (request: string) => string
}

const portalPlaces: RequestPlaces = {
  requests: '/portal/requests',
  ledger: '/portal/billing/statement',
  key: (id) => `/portal/keys/${id}`,
  line: (request) => `/portal/billing/statement?request=${request}#${request}`,
}

type Props = {
  request: ShownRequestInFull
  curl: string | null
  places?: RequestPlaces
  /** True in the drawer: the heading is an `h2`, and a link opens the request's own page. */
  isInDrawer?: boolean
}

/** Full log entry of a request. `curl` is null if the call can't be repeated. */
export function RequestDetail({ request, curl, places = portalPlaces, isInDrawer = false }: Props) {
  const { id, at, method, target, endpoint, status, error, key, balanceAfter, tookMs, message, headers } = request
  const given = Object.entries(headers ?? {})
  const Heading = isInDrawer ? 'h2' : 'h1'
  const tryUrl = tryHref(request)
  return (
    <>
      {isInDrawer ? (
        <p className="mb-2">
          <a className="prose-link" href={`${places.requests}/${id}`}>
            Open full page
          </a>
        </p>
      ) : (
        <BackLink href={places.requests} name="Requests" />
      )}
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <Heading className="font-mono text-h2 font-semibold wrap-anywhere">{target === null ? endpoint.name : `${method} ${target}`}</Heading>
        <HttpStatus status={status} error={error} />
        <ModeTag mode={key.mode} />
      </div>
      {error === null ? null : <Fault error={error} message={message} />}
      <dl className="border-t border-line">
        <Fact name="Request">
          <code className="font-mono text-table">{id}</code>
        </Fact>
        <Fact name="Time">
          <Time at={at} look="second" isStop />
        </Fact>
        <Fact name="Endpoint">{endpoint.name}</Fact>
        <Fact name="Key">
          <KeyName name={key.name} href={places.key(key.id)} />
        </Fact>
        <Fact name="Latency">{took(tookMs)}</Fact>
        <Fact name="Price">
          <Charge request={request} ledger={places.ledger} />
        </Fact>
        <Fact name="Balance after">
          <span className="tabular-nums">{number(balanceAfter)}</span>
          {request.charge.credits === 0 ? null : (
            <a className="prose-link ml-4" href={places.line(id)}>
              View in ledger
            </a>
          )}
        </Fact>
      </dl>
      {curl === null ? (
        <p className="mt-6 text-ink-2">
          The full parameters of this call weren't stored. We skip parameters during large bursts of calls, and truncate very long ones.
        </p>
      ) : (
        <div className="mt-6">
          <CodeBlock label="Repeat this call" code={curl} copyLabel="Copy as curl" />
        </div>
      )}
      {tryUrl === null ? null : (
        <p className="mt-4">
          <ButtonLink kind="second" size="compact" href={tryUrl}>
            Try it in the API reference
          </ButtonLink>
        </p>
      )}
      {request.givenBack ? null : <HeaderList title="Response headers" headers={answerHeaders(request)} />}
      {given.length === 0 ? null : <HeaderList title="Request headers (stored subset)" headers={given} />}
    </>
  )
}
