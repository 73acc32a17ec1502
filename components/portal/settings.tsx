import type { ReactNode } from 'react'
import type { FormAction } from '#components/forms/form-state.ts'
import { ThemeSwitch } from '#components/site/theme-switch.tsx'
import { credits } from './amounts.ts'
import { ConnectForms } from './connect-forms.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import type { SecondFactorAction } from './second-factor-state.ts'
import { type Session, SessionList } from './session-list.tsx'
import { CloseForm, EmailForm, NameForm, PasswordForm } from './settings-forms.tsx'
import { SettingsSection as Section } from './settings-section.tsx'
import { TimeZoneForm } from './time-zone-form.tsx'

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

/** Settings of an account, one section below the other. */
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
