'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { HiddenField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { RoleField, roleLabel, useTeamChange } from './member-list.tsx'

/** Form that invites someone by email. */
export function InviteForm() {
  const trpc = useTRPC()
  const changed = useTeamChange()
  return (
    <MutationForm mutation={trpc.team.invite.mutationOptions()} name="invite" isCleared onDone={() => changed('Invitation sent.')}>
      <TextField name="email" label="Email address" type="email" autoComplete="off" inputMode="email" />
      <RoleField chosen="read_only" />
      <SubmitButton>Send invitation</SubmitButton>
    </MutationForm>
  )
}

/** Invitations that have not been accepted yet. */
export function InvitationList() {
  const trpc = useTRPC()
  const changed = useTeamChange()
  const { invitations, role } = useSuspenseQuery(trpc.team.read.queryOptions()).data
  if (invitations.length === 0) return <p className="text-ink-2">No open invitations.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {invitations.map(({ id, email, role: invited, expiresAt }) => (
        <li key={id} className="py-2.5">
          <span className="font-medium wrap-anywhere">{email}</span>
          <span className="block text-note text-ink-2">
            {roleLabel(invited)}, expires <Time at={expiresAt} look="day" />
          </span>
          {role === 'owner' ? (
            <div className="mt-2 flex flex-wrap gap-3">
              <MutationForm mutation={trpc.team.resend.mutationOptions()} name={`resend-${id}`} onDone={() => changed('Invitation sent again.')}>
                <HiddenField name="id" value={id} />
                <SubmitButton kind="plain">Resend</SubmitButton>
              </MutationForm>
              <MutationForm mutation={trpc.team.revoke.mutationOptions()} name={`revoke-${id}`} onDone={() => changed('Invitation revoked.')}>
                <HiddenField name="id" value={id} />
                <SubmitButton kind="plain">Revoke</SubmitButton>
              </MutationForm>
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
