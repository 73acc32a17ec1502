import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Tag, type Tone } from '#components/ui/tag.tsx'
import { type AccountState, accountStates } from '#server/api/contract/account-state.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import { CopyId } from './copy-id.tsx'

/** Results of the admin procedures. */
export type Outputs = inferRouterOutputs<AppRouter>['admin']

export type Link = { readonly href: string; readonly name: string }

/** Heading of an admin page, with a link to the page above it and content next to it. */
export function Heading({ title, back, children }: { title: ReactNode; back?: Link; children?: ReactNode }) {
  return (
    <>
      {back === undefined ? null : <BackLink {...back} />}
      <div className="mb-6 flex min-h-9 flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{title}</h1>
        {children}
      </div>
    </>
  )
}

type SectionProps = { id: string; title: string; lead?: ReactNode; more?: Link; children?: ReactNode }

/** Section of an admin page, with an introduction and a link to the full list. */
export function Section({ id, title, lead, more, children }: SectionProps) {
  return (
    <section aria-labelledby={`part-${id}`} id={id} className="mt-10 scroll-mt-4">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={`part-${id}`} className="text-h2 font-semibold">
          {title}
        </h2>
        {more === undefined ? null : (
          <a className="prose-link" href={more.href}>
            {more.name}
          </a>
        )}
      </div>
      {lead === undefined ? null : <p className="mb-4 max-w-prose text-pretty text-ink-2">{lead}</p>}
      {children}
    </section>
  )
}

type DescriptionListProps = {
  items: readonly (readonly [name: string, value: ReactNode])[]
  /** Puts values below their labels, for a narrow column. */
  isStacked?: boolean
}

/** Details as label and value. A value of null is left out. */
export function DescriptionList({ items, isStacked = false }: DescriptionListProps) {
  return (
    <dl className={isStacked ? '' : 'border-t border-line'}>
      {items.map(([name, value]) =>
        value === null ? null : (
          <Fact key={name} name={name} isStacked={isStacked}>
            {value}
          </Fact>
        ),
      )}
    </dl>
  )
}

export const Code = ({ children }: { children: ReactNode }) => <code className="font-mono text-table wrap-anywhere">{children}</code>

/** Link in a table cell, with a note below it. */
export function CellLink({ href, note, children }: { href: string; note?: ReactNode; children: ReactNode }) {
  return (
    <span className="block min-w-0 wrap-anywhere">
      <a className="prose-link" href={href}>
        {children}
      </a>
      {note === undefined ? null : <span className="block font-mono text-note font-normal text-ink-2">{note}</span>}
    </span>
  )
}

/** Returns the URL of an account's admin page. */
export const accountHref = (id: string, more = ''): string => `/admin/accounts/${id}${more}`

/** Email of a person, linked to their account, with the account's permanent id to copy. */
export function Person({ id, email, href = accountHref(id) }: { id: string; email: string; href?: string }) {
  return (
    <span className="wrap-anywhere">
      <a className="prose-link" href={href}>
        {email}
      </a>{' '}
      <CopyId id={id} />
    </span>
  )
}

const tones = {
  closed: 'plain',
  blocked: 'danger',
  open: 'good',
  refused: 'danger',
  review: 'caution',
  unconfirmed: 'plain',
} as const satisfies Record<AccountState, Tone>

type Tagged = { readonly standing: AccountState; readonly balanceCredits?: number; readonly isAdmin?: boolean }

/** State tags next to an account’s name. */
export function AccountTags({ standing, balanceCredits = 0, isAdmin = false }: Tagged) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Tag tone={tones[standing]}>{accountStates[standing]}</Tag>
      {balanceCredits < 0 ? <Tag tone="danger">In debt</Tag> : null}
      {isAdmin ? <Tag tone="plain">Administrator</Tag> : null}
    </span>
  )
}

/** Preview of an email with its recipient. A null recipient means that no email is sent; an omitted one, that there are several recipients. */
export type Email = { readonly recipient?: string | null; readonly subject: string; readonly text: string }

export function EmailPreview({ message: { recipient, subject, text } }: { message: Email }) {
  if (recipient === null) return <p>No email is sent: this account’s address isn’t confirmed.</p>
  return (
    <figure className="rounded-panel border border-line bg-surface">
      <figcaption className="border-b border-line px-3 py-2 text-note text-ink-2 wrap-anywhere">
        {recipient === undefined ? '' : `To ${recipient}: `}
        <span className="font-medium text-ink">{subject}</span>
      </figcaption>
      <pre className="p-3 font-sans text-note wrap-anywhere whitespace-pre-wrap">{text}</pre>
    </figure>
  )
}

/** Number of open items and the time of the oldest. */
export function WaitingSummary({ count, oldest, one, many }: { count: number; oldest: Date | null; one: string; many: string }) {
  if (oldest === null) return null
  return (
    <p className="mb-6">
      {number(count)} {count === 1 ? one : many}, the oldest from <Time at={oldest} isStop />.
    </p>
  )
}

/** Link to the next page of a list. Renders nothing on the last page. */
export function NextPage({ href, children }: { href: string | null; children: ReactNode }) {
  if (href === null) return null
  return (
    <p className="mt-4">
      <ButtonLink kind="second" href={href}>
        {children}
      </ButtonLink>
    </p>
  )
}
