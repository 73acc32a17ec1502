'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { planNames, plans } from '#server/api/contract/access.ts'
import { ActionForm } from './kit/action-form.tsx'
import type { Outputs } from './kit/layout.tsx'
import { ReviewForms } from './review-forms.tsx'
import { usePreview } from './use-preview.ts'

type Account = Outputs['accounts']['read']

function BlockForm({ account: { id, standing, approvedAt, confirmedAt } }: { account: Account }) {
  const { accounts } = useTRPC().admin
  const preview = usePreview(id)
  if (standing === 'blocked')
    return (
      <ActionForm
        mutation={accounts.unblock.mutationOptions()}
        name="unblock"
        title="Unblock account"
        input={{ account: id }}
        button="Unblock account"
        done="Account unblocked."
      >
        <p>Account: Blocked → {approvedAt === null ? 'its previous state' : 'Approved'}. Its keys work again immediately.</p>
        <p>{confirmedAt === null ? 'No email is sent: this account’s address isn’t confirmed.' : 'We’ll email the owner that the block has been lifted.'}</p>
      </ActionForm>
    )
  return (
    <ActionForm
      mutation={accounts.block.mutationOptions()}
      name="block"
      title="Block account"
      input={{ account: id }}
      kind="danger"
      button="Block account"
      preview={preview('block')}
      done="Account blocked."
    >
      <TextAreaField
        name="customerMessage"
        label="Reason shown to the customer"
        hint="Up to 300 characters. Shown in the email, the portal and API errors. Leave empty to show no reason."
        isOptional
        rows={2}
      />
    </ActionForm>
  )
}

const limitFields = [
  { name: 'perMinute', label: 'Calls per minute for each live key', own: 'ownPerMinute' },
  { name: 'perDay', label: 'Live calls per day', own: 'ownPerDay' },
] as const

function PlanForms({ account }: { account: Account }) {
  const { accounts } = useTRPC().admin
  const preview = usePreview(account.id)
  const input = { account: account.id }
  return (
    <>
      <ActionForm
        mutation={accounts.setPlan.mutationOptions()}
        name="plan"
        title="Change plan"
        input={input}
        button="Change plan"
        preview={preview('plan')}
        done="Plan changed."
      >
        <RadioGroup
          name="plan"
          legend="Plan"
          chosen={[account.plan]}
          choices={planNames.map((plan) => ({
            value: plan,
            label: plans[plan].label,
            hint: `${number(plans[plan].perMinute)} calls per minute for each live key, ${number(plans[plan].perDay)} per day`,
          }))}
        />
      </ActionForm>
      <ActionForm
        mutation={accounts.setLimits.mutationOptions()}
        name="limits"
        title="Set limits"
        input={input}
        button="Set limits"
        preview={preview('limits')}
        done="Limits changed."
      >
        {limitFields.map(({ name, label, own }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            hint={`Leave empty for the plan’s limit, ${number(plans[account.plan][name])}.`}
            inputMode="numeric"
            size="short"
            defaultValue={account[own] === null ? '' : String(account[own])}
          />
        ))}
      </ActionForm>
    </>
  )
}

function RevokeKeyForm({ account }: { account: string }) {
  const { accounts } = useTRPC().admin
  const { data: keys } = useSuspenseQuery(accounts.keys.queryOptions({ account }))
  const preview = usePreview(account)
  const working = keys.filter(({ state }) => state === 'active' || state === 'ending')
  if (working.length === 0) return null
  return (
    <ActionForm
      mutation={accounts.revokeKey.mutationOptions()}
      name="key"
      title="Revoke a key"
      input={{ account }}
      kind="danger"
      button="Revoke key"
      preview={preview('key')}
      done="Key revoked."
    >
      <RadioGroup name="id" legend="Key" choices={working.map(({ id, name, hint }) => ({ value: id, label: name === '' ? 'Unnamed key' : name, hint }))} />
    </ActionForm>
  )
}

/** Wording of the form that enables or disables webhooks. */
const webhookForms = {
  on: {
    button: 'Enable webhooks',
    kind: 'second',
    isOn: 'yes',
    effect: 'Webhooks: Off → On. The account can add endpoints. Existing endpoints receive events again.',
    done: 'Webhooks enabled.',
  },
  off: {
    button: 'Disable webhooks',
    kind: 'danger',
    isOn: 'no',
    effect: 'Webhooks: On → Off. Events are no longer collected or sent. Endpoints and pending deliveries are kept.',
    done: 'Webhooks disabled.',
  },
} as const

function AccessForms({ account, email }: { account: string; email: string }) {
  const { accounts } = useTRPC().admin
  const { data: webhooks } = useSuspenseQuery(accounts.webhooks.queryOptions({ account }))
  const { data: sessions } = useSuspenseQuery(accounts.sessions.queryOptions({ account }))
  const { isOn, effect, ...rest } = webhookForms[webhooks.isOn ? 'off' : 'on']
  return (
    <>
      <ActionForm mutation={accounts.setWebhooks.mutationOptions()} name="webhooks" title={rest.button} input={{ account, isOn }} {...rest}>
        <p>{effect}</p>
      </ActionForm>
      <RevokeKeyForm account={account} />
      {sessions.length === 0 ? null : (
        <ActionForm
          mutation={accounts.endSessions.mutationOptions()}
          name="sessions"
          title="Sign out everywhere"
          input={{ account }}
          button="Sign out everywhere"
          done="Signed out everywhere."
        >
          <p>
            Sessions: {number(sessions.length)} → 0. This signs {email} out on every device. Other members stay signed in, and API keys keep working.
          </p>
        </ActionForm>
      )}
    </>
  )
}

/** Collapsed forms for all admin actions on an account. Each previews its effect and asks for a reason. */
export function AccountActions({ account }: { account: Account }) {
  const { id, email, standing, state, isClosed } = account
  if (isClosed) return <p>This account is closed. You can only add notes.</p>
  return (
    <div className="border-t border-line">
      {state === 'review' ? <ReviewForms account={id} standing={standing} /> : null}
      <BlockForm account={account} />
      <PlanForms account={account} />
      <AccessForms account={id} email={email} />
    </div>
  )
}
