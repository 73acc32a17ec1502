import { ChoiceField } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { number } from '#components/portal/amounts.ts'
import { planNames, plans } from '#server/api/contract/access.ts'
import type { AdminAccount } from '#server/trpc/root.ts'
import { planLabel, stateLabel } from './account-top.tsx'
import { ActionForm, PreviewedForm } from './action-form.tsx'
import type { EmailContent, PreviewAction } from './email-preview.tsx'
import { EmailPreview } from './email-preview.tsx'

export type AccountFormActions = {
  readonly approve: FormAction
  readonly decline: PreviewAction
  readonly block: PreviewAction
  readonly unblock: FormAction
  readonly setPlan: PreviewAction
  readonly setLimits: PreviewAction
  readonly setWebhooks: FormAction
  readonly revokeKey: PreviewAction
  readonly endSessions: FormAction
  readonly addNote: FormAction
}

type Key = { readonly id: string; readonly name: string; readonly hint: string; readonly state: string }

type Props = {
  account: AdminAccount
  actions: AccountFormActions
  hasWebhooks: boolean
  sessionCount: number
  keys: readonly Key[]
  /** Email sent on approval. */
  message: EmailContent
}

/** Field for the reason for declining an account, shared by the account page and the review page. */
export const declineField = (
  <TextAreaField
    name="customerMessage"
    label="Reason shown to the customer"
    hint="Up to 300 characters. Shown in the email, the portal and API errors."
    rows={2}
  />
)

function ReviewForms({ account, actions, message }: Pick<Props, 'account' | 'actions' | 'message'>) {
  if (account.state !== 'review') return null
  return (
    <>
      <ActionForm name="approve" title="Approve account" account={account.id} button="Approve account" action={actions.approve}>
        <p>Account: {stateLabel(account)} → Approved. Live keys work immediately.</p>
        <EmailPreview message={message} />
      </ActionForm>
      {account.isDeclined ? null : (
        <PreviewedForm name="decline" title="Decline account" account={account.id} kind="danger" button="Decline account" action={actions.decline}>
          {declineField}
        </PreviewedForm>
      )}
    </>
  )
}

function BlockForm({ account, actions }: Pick<Props, 'account' | 'actions'>) {
  if (account.state === 'blocked')
    return (
      <ActionForm name="unblock" title="Unblock account" account={account.id} button="Unblock account" action={actions.unblock}>
        <p>Account: Blocked → {account.approvedAt === null ? 'its previous state' : 'Approved'}. Its keys work again immediately.</p>
      </ActionForm>
    )
  return (
    <PreviewedForm name="block" title="Block account" account={account.id} kind="danger" button="Block account" action={actions.block}>
      <TextAreaField
        name="customerMessage"
        label="Reason shown to the customer"
        hint="Up to 300 characters. Leave empty to show no reason."
        isOptional
        rows={2}
      />
    </PreviewedForm>
  )
}

function PlanForms({ account, actions }: Pick<Props, 'account' | 'actions'>) {
  const of = plans[account.plan]
  return (
    <>
      <PreviewedForm name="plan" title="Change plan" account={account.id} button="Change plan" action={actions.setPlan}>
        <ChoiceField
          name="plan"
          legend="Plan"
          kind="radio"
          chosen={[account.plan]}
          choices={planNames.map((plan) => ({
            value: plan,
            label: planLabel(plan),
            hint: `${number(plans[plan].perMinute)} calls per minute for each live key, ${number(plans[plan].perDay)} per day`,
          }))}
        />
      </PreviewedForm>
      <PreviewedForm name="limits" title="Set limits" account={account.id} button="Set limits" action={actions.setLimits}>
        <TextField
          name="perMinute"
          label="Calls per minute for each live key"
          hint={`Leave empty for the plan’s limit, ${number(of.perMinute)}.`}
          inputMode="numeric"
          size="short"
          defaultValue={account.ownPerMinute === null ? '' : String(account.ownPerMinute)}
        />
        <TextField
          name="perDay"
          label="Live calls per day"
          hint={`Leave empty for the plan’s limit, ${number(of.perDay)}.`}
          inputMode="numeric"
          size="short"
          defaultValue={account.ownPerDay === null ? '' : String(account.ownPerDay)}
        />
      </PreviewedForm>
    </>
  )
}

function WebhooksForm({ account, actions, hasWebhooks }: Pick<Props, 'account' | 'actions' | 'hasWebhooks'>) {
  const label = hasWebhooks ? 'Disable webhooks' : 'Enable webhooks'
  return (
    <ActionForm name="webhooks" title={label} account={account.id} kind={hasWebhooks ? 'danger' : 'second'} button={label} action={actions.setWebhooks}>
      <input type="hidden" name="isOn" value={hasWebhooks ? 'no' : 'yes'} />
      <p>
        {hasWebhooks
          ? 'Webhooks: On → Off. Events are no longer collected or sent. Endpoints and pending deliveries are kept.'
          : 'Webhooks: Off → On. The account can add endpoints. Existing endpoints receive events again.'}
      </p>
    </ActionForm>
  )
}

function RevokeKeyForm({ account, actions, keys }: Pick<Props, 'account' | 'actions' | 'keys'>) {
  const working = keys.filter(({ state }) => state === 'active' || state === 'ending')
  if (working.length === 0) return null
  return (
    <PreviewedForm name="key" title="Revoke a key" account={account.id} kind="danger" button="Revoke key" action={actions.revokeKey}>
      <ChoiceField
        name="key"
        legend="Key"
        kind="radio"
        choices={working.map(({ id, name, hint }) => ({ value: id, label: name === '' ? 'Unnamed key' : name, hint }))}
      />
    </PreviewedForm>
  )
}

/** Collapsible forms for all admin actions on an account. Each shows its effect and asks for a reason. */
export function AccountActions({ account, actions, hasWebhooks, sessionCount, keys, message }: Props) {
  if (account.isClosed) return <p>This account is closed. You can only add notes.</p>
  return (
    <div className="border-t border-line">
      <ReviewForms account={account} actions={actions} message={message} />
      <BlockForm account={account} actions={actions} />
      <PlanForms account={account} actions={actions} />
      <WebhooksForm account={account} actions={actions} hasWebhooks={hasWebhooks} />
      <RevokeKeyForm account={account} actions={actions} keys={keys} />
      {sessionCount === 0 ? null : (
        <ActionForm name="sessions" title="Sign out everywhere" account={account.id} button="Sign out everywhere" action={actions.endSessions}>
          <p>Sessions: {number(sessionCount)} → 0. Everyone using this account’s portal has to sign in again. Keys keep working.</p>
        </ActionForm>
      )}
    </div>
  )
}
