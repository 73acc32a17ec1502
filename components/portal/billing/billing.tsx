import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import type { NoticeNews } from '#server/api/contract/billing-notices.ts'
import { SettingsSection as Section } from '../settings-section.tsx'
import { AlertsForm } from './alerts-form.tsx'
import { type Auto, AutoTopUpForm } from './auto-top-up-form.tsx'
import { type Cap, CapForm } from './cap-form.tsx'
import { NoticeList } from './notice-list.tsx'
import { type Payment, PaymentList } from './payment-list.tsx'
import { type Card, cardName, SavedCard } from './saved-card.tsx'
import { StatementList } from './statement-list.tsx'

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

/** Payments, statements and billing settings, one section below the other. */
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
      <Section id="notifications" title="Notifications" lead="Emails from the last 90 days.">
        <NoticeList notices={notices} />
      </Section>
    </div>
  )
}
