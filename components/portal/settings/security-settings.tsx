'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { HiddenField, PasswordField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { toast } from '#components/ui/toast.tsx'
import { SecondFactor } from './second-factor.tsx'
import { SessionList } from './session-list.tsx'
import { CodeField, SettingsSection as Section } from './settings-parts.tsx'

/** Returns a function that refetches all data on the page that a change to the sign-in settings may affect. */
function useRefetch() {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return () => Promise.all([client.invalidateQueries(trpc.security.pathFilter()), client.invalidateQueries(trpc.session.pathFilter())])
}

function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const refetch = useRefetch()
  return (
    <MutationForm
      mutation={useTRPC().security.changePassword.mutationOptions()}
      name="password"
      isCleared
      onDone={async () => {
        await refetch()
        return 'Password changed. All other devices have been signed out.'
      }}
    >
      {hasPassword ? <PasswordField name="currentPassword" label="Current password" autoComplete="current-password" /> : null}
      <PasswordField name="password" label="New password" hint="At least 12 characters." autoComplete="new-password" />
      <SubmitButton kind="second">{hasPassword ? 'Change password' : 'Set password'}</SubmitButton>
    </MutationForm>
  )
}

function EmailForm({ hasSecondFactor, email }: { hasSecondFactor: boolean; email: string }) {
  return (
    <MutationForm
      mutation={useTRPC().security.changeEmail.mutationOptions()}
      name="email"
      onDone={(asked) =>
        `We've emailed ${asked.email}. If this address is available for your account, the email contains a link to confirm it. The link works once and expires in 30 minutes.`
      }
    >
      <p>
        Current: <span className="font-medium wrap-anywhere">{email}</span>
      </p>
      <TextField name="email" label="New email address" type="email" autoComplete="email" inputMode="email" />
      {hasSecondFactor ? <CodeField /> : null}
      <SubmitButton kind="second">Send link to new address</SubmitButton>
    </MutationForm>
  )
}

type Connection = { readonly issuer: string; readonly label: string }
type Provider = { readonly id: string; readonly label: string }

function ConnectForm({ id, label }: Provider) {
  return (
    <MutationForm mutation={useTRPC().security.beginConnect.mutationOptions()} name={`connect-${id}`} onDone={({ next }) => goTo(next)}>
      <HiddenField name="provider" value={id} />
      <SubmitButton kind="second">Connect {label}</SubmitButton>
    </MutationForm>
  )
}

function DisconnectForm({ issuer, label }: Connection) {
  const refetch = useRefetch()
  return (
    <MutationForm
      mutation={useTRPC().security.disconnect.mutationOptions()}
      name="disconnect"
      onDone={async () => {
        await refetch()
        toast('Account disconnected. All other devices have been signed out.')
      }}
    >
      <HiddenField name="issuer" value={issuer} />
      <SubmitButton kind="second">Disconnect {label}</SubmitButton>
    </MutationForm>
  )
}

/** Forms that connect and disconnect identity providers. Renders nothing if the service has no providers. */
function Providers({ connected, connectable }: { connected: readonly Connection[]; connectable: readonly Provider[] }) {
  if (connected.length + connectable.length === 0) return null
  return (
    <Section id="providers" title="Connected accounts">
      {connected.length === 0 ? null : <p className="mb-4">Connected: {connected.map(({ label }) => label).join(', ')}.</p>}
      <div className="flex flex-wrap gap-3">
        {connectable.map((provider) => (
          <ConnectForm key={provider.id} {...provider} />
        ))}
        {connected.map((connection) => (
          <DisconnectForm key={connection.issuer} {...connection} />
        ))}
      </div>
    </Section>
  )
}

/** Password, email, second factor, identity providers and sessions. */
export function SecuritySettings({ email, isConfirmed, isAdmin }: { email: string; isConfirmed: boolean; isAdmin: boolean }) {
  const { data } = useSuspenseQuery(useTRPC().security.read.queryOptions())
  const { hasPassword, hasSecondFactor, recoveryCodesLeft, connected, connectable } = data
  return (
    <>
      <Section id="password" title="Password" lead="Changing your password signs out all other devices.">
        <PasswordForm hasPassword={hasPassword} />
      </Section>
      <Section id="email" title="Email">
        <EmailForm email={email} hasSecondFactor={hasSecondFactor} />
      </Section>
      <Section id="second-factor" title="Two-factor sign-in">
        {isConfirmed || hasSecondFactor ? (
          <SecondFactor isOn={hasSecondFactor} codesLeft={recoveryCodesLeft} isAdmin={isAdmin} />
        ) : (
          <p>Confirm your email before you turn on two-factor sign-in.</p>
        )}
      </Section>
      <Providers connected={connected} connectable={isConfirmed ? connectable : []} />
      <Section id="sessions" title="Devices" lead="Devices that are signed in to your account.">
        <SessionList />
      </Section>
    </>
  )
}
