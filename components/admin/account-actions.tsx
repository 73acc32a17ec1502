import { ChoiceField } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { number } from '#components/portal/amounts.ts'
import type { AdminAccount } from '#server/api/contract/admin-account.ts'
import { planNames, plans } from '#server/api/contract/plans.ts'
import { planLabel, standingWord } from './account-tags.tsx'
import { ActionForm, PreviewedForm } from './action-form.tsx'
import { EmailPreview } from './email-preview.tsx'
import type { PreviewAction, ShownLetter } from './preview-state.ts'

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
  /** The letter of an approval. */
  letter: ShownLetter
}

/** What the account is told where a review ends with a no: the same field wherever it is refused. */
export const declineField = (
  <TextAreaField
    name="told"
    label="Reason that the account is told"
    hint="Up to 300 characters. It stands in the letter, in the portal and in answers."
    rows={2}
  />
)

function ReviewForms({ account, actions, letter }: Pick<Props, 'account' | 'actions' | 'letter'>) {
  if (account.state !== 'review') return null
  return (
    <>
      <ActionForm name="approve" title="Approve account" account={account.id} button="Approve account" action={actions.approve}>
        <p>Account: {standingWord(account)} → Approved. Its live keys work from the next call on.</p>
        <EmailPreview letter={letter} />
      </ActionForm>
      {account.isDeclined ? null : (
        <PreviewedForm name="decline" title="Refuse account" account={account.id} kind="danger" button="Refuse account" action={actions.decline}>
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
        <p>Account: Blocked → {account.approvedAt === null ? 'as its review stands' : 'Approved'}. Its keys work again from the next call on.</p>
      </ActionForm>
    )
  return (
    <PreviewedForm name="block" title="Block account" account={account.id} kind="danger" button="Block account" action={actions.block}>
      <TextAreaField name="told" label="Reason that callers are told" hint="Up to 300 characters. Left empty, they are told none." isOptional rows={2} />
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
            hint: `${number(plans[plan].perMinute)} calls a minute for each live key, ${number(plans[plan].perDay)} a day`,
          }))}
        />
      </PreviewedForm>
      <PreviewedForm name="limits" title="Set limits" account={account.id} button="Set limits" action={actions.setLimits}>
        <TextField
          name="perMinute"
          label="Calls a minute for each live key"
          hint={`Left empty: ${number(of.perMinute)}, the plan’s.`}
          inputMode="numeric"
          size="short"
          defaultValue={account.ownPerMinute === null ? '' : String(account.ownPerMinute)}
        />
        <TextField
          name="perDay"
          label="Live calls a day"
          hint={`Left empty: ${number(of.perDay)}, the plan’s.`}
          inputMode="numeric"
          size="short"
          defaultValue={account.ownPerDay === null ? '' : String(account.ownPerDay)}
        />
      </PreviewedForm>
    </>
  )
}

function WebhooksForm({ account, actions, hasWebhooks }: Pick<Props, 'account' | 'actions' | 'hasWebhooks'>) {
  const words = hasWebhooks ? 'Switch webhooks off' : 'Switch webhooks on'
  return (
    <ActionForm name="webhooks" title={words} account={account.id} kind={hasWebhooks ? 'danger' : 'second'} button={words} action={actions.setWebhooks}>
      <input type="hidden" name="isOn" value={hasWebhooks ? 'no' : 'yes'} />
      <p>
        {hasWebhooks
          ? 'Webhooks: On → Off. Nothing is sent or collected; endpoints and what waits for them stay.'
          : 'Webhooks: Off → On. The account can add endpoints; those that it has are sent to again.'}
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
        choices={working.map(({ id, name, hint }) => ({ value: id, label: name === '' ? 'Key without a name' : name, hint }))}
      />
    </PreviewedForm>
  )
}

/** Everything that can be done about an account. Each is folded up, says what it will do, and asks why. */
export function AccountActions({ account, actions, hasWebhooks, sessionCount, keys, letter }: Props) {
  if (account.isClosed) return <p>This account is closed. Nothing can be done about it any more but to note something.</p>
  return (
    <div className="border-t border-line">
      <ReviewForms account={account} actions={actions} letter={letter} />
      <BlockForm account={account} actions={actions} />
      <PlanForms account={account} actions={actions} />
      <WebhooksForm account={account} actions={actions} hasWebhooks={hasWebhooks} />
      <RevokeKeyForm account={account} actions={actions} keys={keys} />
      {sessionCount === 0 ? null : (
        <ActionForm name="sessions" title="Sign out everywhere" account={account.id} button="Sign out everywhere" action={actions.endSessions}>
          <p>Sign-ins: {number(sessionCount)} → 0. Whoever uses the portal of this account has to sign in again. Keys go on working.</p>
        </ActionForm>
      )}
    </div>
  )
}
