'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import type { Values } from '#components/forms/client-form.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { planNames, plans } from '#server/api/contract/access.ts'
import { type AccountState, accountStates } from '#server/api/contract/account-state.ts'
import { ActionForm } from './kit/action-form.tsx'
import { EmailPreview, type Outputs, Section } from './kit/layout.tsx'
import { decisionMessages } from './views.ts'

type Account = Outputs['accounts']['read']

type Decision = keyof typeof decisionMessages

/** Returns a function that loads the preview of a change to an account. */
function usePreview(account: string) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (kind: 'block' | 'decline' | 'plan' | 'limits' | 'key') => (values: Values) =>
    client.fetchQuery({ ...trpc.admin.accounts.preview.queryOptions({ ...values, account, kind } as never), staleTime: 0, retry: false })
}

type ReviewProps = {
  account: string
  standing: AccountState
  /** Goes to another page after the decision. Without it, the forms are folded and the page stays. */
  decided?: (decision: Decision) => Promise<never>
}

/** Forms that approve or decline an account, with the email that the customer gets. */
export function ReviewForms({ account, standing, decided }: ReviewProps) {
  const { review } = useTRPC().admin
  const { data: message } = useSuspenseQuery(review.message.queryOptions({ account }))
  const preview = usePreview(account)
  const done = (decision: Decision) => (decided ? () => decided(decision) : decisionMessages[decision])
  const place = (id: Decision, title: string, form: (title: string | undefined) => ReactNode) =>
    decided ? (
      <Section id={id} title={title}>
        {form(undefined)}
      </Section>
    ) : (
      form(`${title} account`)
    )
  return (
    <>
      {place('approve', 'Approve', (title) => (
        <ActionForm
          mutation={review.approve.mutationOptions()}
          name="approve"
          title={title}
          input={{ account }}
          kind="primary"
          button="Approve account"
          done={done('approve')}
        >
          <p>{accountStates[standing]} → Approved. Live keys work immediately.</p>
          <EmailPreview message={message} />
        </ActionForm>
      ))}
      {standing === 'refused'
        ? null
        : place('decline', 'Decline', (title) => (
            <ActionForm
              mutation={review.decline.mutationOptions()}
              name="decline"
              title={title}
              input={{ account }}
              kind="danger"
              button="Decline account"
              preview={preview('decline')}
              done={done('decline')}
            >
              <TextAreaField
                name="customerMessage"
                label="Reason shown to the customer"
                hint="Up to 300 characters. Shown in the email, the portal and API errors."
                rows={2}
              />
            </ActionForm>
          ))}
    </>
  )
}

function BlockForm({ account: { id, standing, approvedAt } }: { account: Account }) {
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
        hint="Up to 300 characters. Leave empty to show no reason."
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

function AccessForms({ account }: { account: string }) {
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
          <p>Sessions: {number(sessions.length)} → 0. Everyone using this account’s portal has to sign in again. Keys keep working.</p>
        </ActionForm>
      )}
    </>
  )
}

/** Folded forms for all admin actions on an account. Each shows its effect and asks for a reason. */
export function AccountActions({ account }: { account: Account }) {
  const { id, standing, state, isClosed } = account
  if (isClosed) return <p>This account is closed. You can only add notes.</p>
  return (
    <div className="border-t border-line">
      {state === 'review' ? <ReviewForms account={id} standing={standing} /> : null}
      <BlockForm account={account} />
      <PlanForms account={account} />
      <AccessForms account={id} />
    </div>
  )
}
