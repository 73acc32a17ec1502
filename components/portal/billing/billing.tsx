import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import type { NoticeNews } from '#server/api/contract/billing-notices.ts'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { number } from '../amounts.ts'
import { SettingsSection as Section } from '../settings/settings-parts.tsx'
import { AlertsForm, type Auto, AutoTopUpForm, type Cap, CapForm } from './balance-settings.tsx'
import { NoticeList } from './notices.tsx'
import { StatementList } from './statement.tsx'
import { type TopUpData, TopUpTag } from './top-up-parts.tsx'

type Card = { readonly brand: string; readonly last4: string; readonly expires: string }

/** Formats a card: `Visa ending 4242`. */
const cardName = ({ brand, last4 }: Card): string => `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending ${last4}`

type SavedCardProps = { card: Card; remove: FormAction; isAutoOn: boolean }

/** Saved card for automatic top-ups, with a button to remove it. */
function SavedCard({ card, remove, isAutoOn }: SavedCardProps) {
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-3 border-y border-line py-2.5">
      <p>
        {cardName(card)}
        <span className="block text-note text-ink-2">
          Expires {card.expires}.{isAutoOn ? ' Removing it turns off automatic top-ups.' : ''}
        </span>
      </p>
      <Form action={remove} name="card">
        <SubmitButton kind="plain">Remove card</SubmitButton>
      </Form>
    </div>
  )
}

type Payment = TopUpData & {
  readonly id: string
  readonly isAutomatic: boolean
  readonly credits: number
  readonly grossPence: number
  readonly createdAt: string
  readonly paidAt: string | null
}

type PaymentListProps = { payments: readonly Payment[]; nextCursor: string | null; isNewest: boolean }

/** An account's payments, each with a link to its receipt. */
function PaymentList({ payments, nextCursor, isNewest }: PaymentListProps) {
  if (payments.length === 0) return <p>No payments yet.</p>
  return (
    <>
      <DataTable
        caption="Payments"
        rows={payments}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Receipt',
            isHead: true,
            cell: ({ id, createdAt, paidAt }) => (
              <a className="prose-link" href={`/portal/billing/top-ups/${id}`}>
                <Time at={paidAt ?? createdAt} look="day" />
              </a>
            ),
          },
          { name: 'Type', cell: ({ isAutomatic }) => (isAutomatic ? 'Automatic' : 'Manual') },
          { name: 'State', isBeside: true, cell: (payment) => <TopUpTag {...payment} /> },
          { name: 'Credits', isNumber: true, cell: ({ credits }) => number(credits) },
          { name: 'Paid', isNumber: true, cell: ({ grossPence }) => pounds(grossPence) },
        ]}
      />
      <p className="mt-3 flex gap-4 empty:hidden">
        {nextCursor === null ? null : (
          <a className="prose-link" href={`/portal/billing?payments=${nextCursor}#payments`}>
            Older payments
          </a>
        )}
        {isNewest ? null : (
          <a className="prose-link" href="/portal/billing#payments">
            Newest payments
          </a>
        )}
      </p>
    </>
  )
}

type Overview = {
  readonly mode: 'live' | 'test' | 'simulated' | null
  readonly card: Card | null
  readonly vatPercent: number | null
  readonly autoTopUp: Auto | null
  readonly alertThresholds: readonly number[]
  readonly spendCap: Cap
}

type Actions = {
  readonly alerts: FormAction
  readonly cap: FormAction
  readonly autoTopUp: FormAction
  readonly removeCard: FormAction
  readonly openStripe: FormAction
}

export type Payments = { readonly topUps: readonly Payment[]; readonly nextCursor: string | null; readonly isNewest: boolean }

type Props = {
  overview: Overview
  payments: Payments
  months: readonly string[]
  notices: readonly (NoticeNews & { readonly id: string; readonly at: Date })[]
  actions: Actions
  /** Name of the form that was just saved. */
  done: string | undefined
}

function AutoTopUps({ overview, actions, done }: Pick<Props, 'overview' | 'actions' | 'done'>) {
  const { card, vatPercent, autoTopUp } = overview
  if (card === null)
    return (
      <p className="text-pretty">
        Automatic top-ups need a saved card.{' '}
        <a className="prose-link" href="/portal/billing/top-up">
          Top up once
        </a>{' '}
        and tick “Save the card”.{done === 'card' ? ' Card removed.' : ''}
      </p>
    )
  return (
    <>
      <SavedCard card={card} remove={actions.removeCard} isAutoOn={autoTopUp?.isOn ?? false} />
      <AutoTopUpForm auto={autoTopUp} card={cardName(card)} vatPercent={vatPercent} action={actions.autoTopUp} isSaved={done === 'auto'} />
    </>
  )
}

/** Payments, statements and billing settings of an account. */
export function Billing({ overview, payments, months, notices, actions, done }: Props) {
  const hasStripe = overview.mode === 'live' || overview.mode === 'test'
  return (
    <div className="mt-12">
      <Section id="payments" title="Payments" lead="Every payment has a receipt. Checkout payments also have an invoice.">
        <PaymentList payments={payments.topUps} nextCursor={payments.nextCursor} isNewest={payments.isNewest} />
        {hasStripe && payments.topUps.length > 0 ? (
          <div className="mt-4">
            <Form action={actions.openStripe} name="stripe">
              <SubmitButton kind="second">Manage billing in Stripe</SubmitButton>
            </Form>
          </div>
        ) : null}
      </Section>
      <Section id="statements" title="Statements" lead="Monthly (UTC), with every transaction as CSV or JSON.">
        <StatementList months={months} />
      </Section>
      {overview.mode === null ? null : (
        <Section id="auto-top-up" title="Automatic top-ups" lead="Off until you turn them on.">
          <AutoTopUps overview={overview} actions={actions} done={done} />
        </Section>
      )}
      <Section id="alerts" title="Alerts">
        <AlertsForm thresholds={overview.alertThresholds} action={actions.alerts} isSaved={done === 'alerts'} />
      </Section>
      <Section id="cap" title="Monthly cap" lead="Across all live keys. You can also set a lower cap per key.">
        <CapForm cap={overview.spendCap} action={actions.cap} isSaved={done === 'cap'} />
      </Section>
      <Section id="notifications" title="Notifications" lead="The latest emails, up to 10, from the last 90 days.">
        <NoticeList notices={notices} />
      </Section>
    </div>
  )
}
