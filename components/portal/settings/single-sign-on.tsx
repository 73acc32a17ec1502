'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PasswordField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { useTeamChange } from './member-list.tsx'

/** URL to copy, with its purpose. */
function CopyableUrl({ label, url, children }: { label: string; url: string; children: string }) {
  return (
    <div>
      <dt className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{label}</span>
        <CopyButton text={url} what={label} />
      </dt>
      <dd className="mt-1">
        <code className="font-mono text-note wrap-anywhere">{url}</code>
        <p className="text-note text-pretty text-ink-2">{children}</p>
      </dd>
    </div>
  )
}

type Provider = { readonly issuer: string; readonly clientId: string; readonly isRequired: boolean }

function ProviderForm({ provider, onSaved }: { provider: Provider | null; onSaved: () => void }) {
  const trpc = useTRPC()
  const changed = useTeamChange()
  return (
    <MutationForm
      mutation={trpc.team.setSingleSignOn.mutationOptions()}
      name="single-sign-on"
      onDone={async () => {
        onSaved()
        await changed('Single sign-on saved.')
      }}
    >
      {provider === null ? null : (
        <p className="text-note text-pretty text-ink-2">
          If you change the issuer URL or client ID, everyone is disconnected from single sign-on and signed out of their single sign-on sessions. They'll need
          to connect again.
        </p>
      )}
      <TextField
        name="issuer"
        label="Issuer URL"
        hint="For example, https://login.example.com. When you save, we read its discovery document."
        autoComplete="off"
        {...(provider && { defaultValue: provider.issuer })}
      />
      <TextField name="clientId" label="Client ID" autoComplete="off" {...(provider && { defaultValue: provider.clientId })} />
      <PasswordField name="clientSecret" label="Client secret" hint="Stored encrypted, and never shown again." autoComplete="new-password" />
      <SubmitButton>Save single sign-on</SubmitButton>
    </MutationForm>
  )
}

/** Forms that change what single sign-on requires, and remove it. */
function ManageProvider({ isRequired }: { isRequired: boolean }) {
  const trpc = useTRPC()
  const changed = useTeamChange()
  return (
    <>
      <MutationForm
        mutation={trpc.team.requireSingleSignOn.mutationOptions()}
        name="require"
        toInput={() => ({ isRequired: !isRequired })}
        onDone={() => changed(isRequired ? 'Single sign-on is now optional.' : 'Single sign-on is now required.')}
      >
        <p className="text-pretty">
          {isRequired
            ? 'Required: members must sign in with single sign-on. As the owner, you can still sign in another way.'
            : 'Optional: members can also sign in with their own password.'}
        </p>
        <SubmitButton kind="second">{isRequired ? 'Stop requiring single sign-on' : 'Require for members'}</SubmitButton>
      </MutationForm>
      <MutationForm mutation={trpc.team.removeSingleSignOn.mutationOptions()} name="remove-single-sign-on" onDone={() => changed('Single sign-on removed.')}>
        <p className="text-note text-pretty text-ink-2">
          If you remove single sign-on, everyone is disconnected and signed out of their single sign-on sessions.
        </p>
        <SubmitButton kind="danger">Remove single sign-on</SubmitButton>
      </MutationForm>
    </>
  )
}

/** Settings of the account's OpenID Connect provider, for the owner. */
export function SingleSignOn() {
  const { provider, callbackUrl, signInUrl } = useSuspenseQuery(useTRPC().team.singleSignOn.queryOptions()).data
  const [isEditing, setEditing] = useState(false)
  return (
    <div className="flex flex-col gap-6">
      <dl className="flex flex-col gap-4">
        <CopyableUrl label="Callback URL" url={callbackUrl}>
          Register this URL with your identity provider as a redirect URI.
        </CopyableUrl>
        {provider === null ? null : (
          <CopyableUrl label="Sign-in page" url={signInUrl}>
            Share this page with your members.
          </CopyableUrl>
        )}
      </dl>
      {provider === null || isEditing ? (
        <ProviderForm provider={provider} onSaved={() => setEditing(false)} />
      ) : (
        <>
          <div>
            <p className="wrap-anywhere">
              <span className="font-medium">{provider.issuer}</span>, client ID {provider.clientId}
            </p>
            <p className="mt-3">
              <Button kind="second" type="button" onClick={() => setEditing(true)}>
                Change identity provider
              </Button>
            </p>
          </div>
          <ManageProvider isRequired={provider.isRequired} />
        </>
      )}
    </div>
  )
}
