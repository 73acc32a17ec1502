import type { ReactNode } from 'react'
import { PasswordField, TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { ThemeSwitch } from '#components/site/theme-switch.tsx'
import { credits } from './amounts.ts'
import { SecondFactorForm, TimeZoneForm } from './interactive-settings.tsx'
import type { SecondFactorAction } from './secret-form-states.ts'
import { type Session, SessionList } from './session-list.tsx'
import { CodeField, SettingsSection as Section, SettingsSection } from './settings-parts.tsx'

const doneMessages: Readonly<Record<string, string>> = {
  email: 'Email changed.',
  connected: 'Account connected.',
  'not-connected': 'No account was connected. Start again and return from the provider within 15 minutes.',
  disconnected: 'Account disconnected. All other devices have been signed out.',
  session: 'Device signed out.',
  'second-factor-off': 'Two-factor sign-in is off. All other devices have been signed out.',
}

/** Returns the success message for a code in the URL, or null. */
export const doneMessage = (code: string | undefined): string | null => (code === undefined ? null : (doneMessages[code] ?? null))

type ConnectFormsProps = {
  connected: readonly { readonly issuer: string; readonly label: string }[]
  connectable: readonly { readonly id: string; readonly label: string }[]
  action: FormAction
}

/** Forms that connect and disconnect identity providers. Renders nothing if the service has no providers. */
function ConnectForms({ connected, connectable, action }: ConnectFormsProps) {
  if (connected.length + connectable.length === 0) return null
  return (
    <SettingsSection id="providers" title="Connected accounts">
      {connected.length === 0 ? null : <p className="mb-4">Connected: {connected.map(({ label }) => label).join(', ')}.</p>}
      <Form action={action} name="providers">
        <div className="flex flex-wrap gap-3">
          {connectable.map(({ id, label }) => (
            <SubmitButton key={id} kind="second" name="provider" value={id}>
              Connect {label}
            </SubmitButton>
          ))}
          {connected.map(({ issuer, label }) => (
            <SubmitButton key={issuer} kind="second" name="issuer" value={issuer}>
              Disconnect {label}
            </SubmitButton>
          ))}
        </div>
      </Form>
    </SettingsSection>
  )
}

function NameForm({ action, name }: { action: FormAction; name: string }) {
  return (
    <Form action={action} name="profile">
      <TextField
        name="name"
        label="Name"
        hint="You or your company. Shown in the portal and in /me."
        isOptional
        autoComplete="organization"
        defaultValue={name}
      />
      <SubmitButton kind="second">Save name</SubmitButton>
    </Form>
  )
}

function EmailForm({ action, hasSecondFactor, email }: { action: FormAction; hasSecondFactor: boolean; email: string }) {
  return (
    <Form action={action} name="email">
      <p>
        Current: <span className="font-medium wrap-anywhere">{email}</span>
      </p>
      <TextField name="email" label="New email address" type="email" autoComplete="email" inputMode="email" />
      {hasSecondFactor ? <CodeField /> : null}
      <SubmitButton kind="second">Send link to new address</SubmitButton>
    </Form>
  )
}

function PasswordForm({ action, hasPassword }: { action: FormAction; hasPassword: boolean }) {
  return (
    <Form action={action} name="password">
      {hasPassword ? <PasswordField name="currentPassword" label="Current password" autoComplete="current-password" /> : null}
      <PasswordField name="password" label="New password" hint="At least 12 characters." autoComplete="new-password" />
      <SubmitButton kind="second">{hasPassword ? 'Change password' : 'Set password'}</SubmitButton>
    </Form>
  )
}

function CloseForm({ action, balance }: { action: FormAction; balance: string }) {
  return (
    <Form action={action} name="close">
      <p className="text-pretty">
        Your keys stop working immediately, you're signed out everywhere, and your remaining {balance} are lost. We keep receipts and the record of charges, as
        the law requires. We delete your name and email address, and emails to you are removed from our mail queue within 30 days. You can't undo this.
      </p>
      <TextField name="email" label="Type your email address to confirm" autoComplete="off" />
      <SubmitButton kind="danger">Close account</SubmitButton>
    </Form>
  )
}

type Facts = {
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  readonly recoveryCodesLeft: number
  readonly connected: readonly { readonly issuer: string; readonly label: string }[]
  readonly connectable: readonly { readonly id: string; readonly label: string }[]
}

type Actions = {
  readonly rename: FormAction
  readonly setTimeZone: FormAction
  readonly changeEmail: FormAction
  readonly changePassword: FormAction
  readonly secondFactor: SecondFactorAction
  readonly provider: FormAction
  readonly endSession: FormAction
  readonly signOutEverywhere: FormAction
  readonly closeAccount: FormAction
}

type Props = {
  name: string
  email: string
  timeZone: string
  /** Selectable time zones besides UTC. */
  zones: readonly string[]
  isConfirmed: boolean
  balanceCredits: number
  facts: Facts
  sessions: readonly Session[]
  actions: Actions
  /** List of account changes. */
  history: ReactNode
}

export function Settings({ name, email, isConfirmed, timeZone, zones, balanceCredits, facts, sessions, actions, history }: Props) {
  const { hasPassword } = facts
  return (
    <>
      <Section id="profile" title="Profile">
        <NameForm action={actions.rename} name={name} />
      </Section>
      <Section id="times" title="Times">
        <TimeZoneForm action={actions.setTimeZone} chosen={timeZone} zones={zones} />
      </Section>
      <Section id="email" title="Email">
        <EmailForm action={actions.changeEmail} email={email} hasSecondFactor={facts.hasSecondFactor} />
      </Section>
      <Section id="password" title="Password" lead="Changing your password signs out all other devices.">
        <PasswordForm action={actions.changePassword} hasPassword={hasPassword} />
      </Section>
      <Section id="second-factor" title="Two-factor sign-in">
        {isConfirmed || facts.hasSecondFactor ? (
          <SecondFactorForm action={actions.secondFactor} isOn={facts.hasSecondFactor} codesLeft={facts.recoveryCodesLeft} />
        ) : (
          <p>Confirm your email before you turn on two-factor sign-in.</p>
        )}
      </Section>
      <ConnectForms {...facts} connectable={isConfirmed ? facts.connectable : []} action={actions.provider} />
      <Section id="sessions" title="Devices" lead="Devices that are signed in to your account.">
        <SessionList sessions={sessions} end={actions.endSession} endAll={actions.signOutEverywhere} />
      </Section>
      <Section id="alerts" title="Alerts">
        <p>
          Balance alerts are under{' '}
          <a className="prose-link" href="/portal/billing#alerts">
            Billing
          </a>
          .
        </p>
      </Section>
      <Section id="appearance" title="Appearance">
        <ThemeSwitch />
      </Section>
      <Section id="history" title="Activity" lead="Account changes, failed sign-ins and ended sessions.">
        {history}
      </Section>
      <Section id="close" title="Close account">
        <CloseForm action={actions.closeAccount} balance={credits(balanceCredits)} />
      </Section>
    </>
  )
}
