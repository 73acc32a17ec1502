'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Time } from '#components/data/time.tsx'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import { HiddenField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { toast } from '#components/ui/toast.tsx'
import { type MemberRole, memberRoles, type Role, roleNames } from '#server/api/contract/teams.ts'

type Person = { readonly publicId: string; readonly email: string; readonly name: string }
type Member = Person & { readonly role: MemberRole; readonly since: Date }

/** Returns the name of a role with a capital letter. */
export const roleLabel = (role: Role): string => `${roleNames[role].charAt(0).toUpperCase()}${roleNames[role].slice(1)}`

const roleHints: Readonly<Record<MemberRole, string>> = {
  developer: "Sees everything. Manages keys, market alerts and webhooks. Can't top up, change billing or manage members.",
  billing: "Sees everything, including key names and usage. Tops up and manages billing and market alerts. Can't change keys, webhooks or members.",
  read_only: "Sees everything, including key names, usage and receipts. Can't change anything.",
}

const roleChoices = memberRoles.map((value) => ({ value, label: roleLabel(value), hint: roleHints[value] }))

/** Roles, with what members in each role can see and change. */
export function RoleList() {
  const all = [
    { value: 'owner', label: roleLabel('owner'), hint: 'Sees and manages everything, including members and the licence. Can close the account.' },
    ...roleChoices,
  ]
  return (
    <dl className="divide-y divide-line border-y border-line">
      {all.map(({ value, label, hint }) => (
        <div key={value} className="py-2.5">
          <dt className="font-medium">{label}</dt>
          <dd className="text-note text-pretty text-ink-2">{hint}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Choice of a member's role. */
export function RoleField({ chosen }: { chosen: MemberRole }) {
  return <RadioGroup name="role" legend="Role" choices={roleChoices} chosen={[chosen]} />
}

/** Returns a function that reloads the team and shows a message. */
export function useTeamChange() {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return async (text: string) => {
    await client.invalidateQueries(trpc.team.pathFilter())
    toast(text)
  }
}

/** Forms with which the owner changes a member's role, transfers the account to the member, or removes the member. */
function ManageMember({ member: { publicId, email, role } }: { member: Member }) {
  const trpc = useTRPC()
  const changed = useTeamChange()
  const [isTransfer, setTransfer] = useState(false)
  return (
    <div className="mt-3 flex flex-col gap-5 rounded-panel bg-sunken p-4">
      <MutationForm mutation={trpc.team.changeRole.mutationOptions()} name={`role-${publicId}`} onDone={() => changed('Role changed.')}>
        <HiddenField name="member" value={publicId} />
        <RoleField chosen={role} />
        <SubmitButton kind="second">Save role</SubmitButton>
      </MutationForm>
      <MutationForm mutation={trpc.team.remove.mutationOptions()} name={`remove-${publicId}`} onDone={() => changed(`${email} was removed.`)}>
        <HiddenField name="member" value={publicId} />
        <p className="text-note text-pretty text-ink-2">
          They lose access immediately, and so do the applications that they approved. Keys that they created here keep working.
        </p>
        <SubmitButton kind="danger">Remove member</SubmitButton>
      </MutationForm>
      {isTransfer ? (
        <MutationForm
          mutation={trpc.team.transfer.mutationOptions()}
          name={`transfer-${publicId}`}
          onDone={() => goTo('/portal/settings/members?done=transfer')}
        >
          <HiddenField name="member" value={publicId} />
          <p className="text-pretty wrap-anywhere">
            {email} will become the owner and control this account's members, keys, credits, invoices and licence. You'll become a developer, and only the new
            owner can reverse this. We'll turn off automatic top-ups, delete the saved card, revoke open invitations and remove single sign-on, which the new
            owner can set up again.
          </p>
          <SubmitButton kind="danger">Transfer ownership</SubmitButton>
        </MutationForm>
      ) : (
        <p>
          <Button kind="second" type="button" onClick={() => setTransfer(true)}>
            Transfer ownership…
          </Button>
        </p>
      )}
    </div>
  )
}

/** Name and email of a person. */
function PersonName({ person: { email, name, publicId }, user }: { person: Person; user: string }) {
  return (
    <span className="min-w-0">
      <span className="font-medium wrap-anywhere">{name === '' ? email : name}</span> {publicId === user ? <Tag tone="good">You</Tag> : null}
      {name === '' ? null : <span className="block text-note wrap-anywhere text-ink-2">{email}</span>}
    </span>
  )
}

/** Row of a member. The owner can open the forms that manage them. */
function MemberRow({ member, user, isOwner }: { member: Member; user: string; isOwner: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PersonName person={member} user={user} />
        <span className="flex items-center gap-3">
          <span className="text-note text-ink-2">
            {roleLabel(member.role)}, since <Time at={member.since} look="day" />
          </span>
          {isOwner ? (
            <Button kind="plain" type="button" aria-expanded={isOpen} aria-label={`Manage ${member.email}`} onClick={() => setOpen(!isOpen)}>
              Manage
            </Button>
          ) : null}
        </span>
      </div>
      {isOpen && isOwner ? <ManageMember member={member} /> : null}
    </li>
  )
}

/** The owner and the members of the account. */
export function MemberList() {
  const trpc = useTRPC()
  const { data } = useSuspenseQuery(trpc.team.read.queryOptions())
  const { owner, members, user, role } = data
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        <li className="flex flex-wrap items-center justify-between gap-3 py-2.5">
          <PersonName person={owner} user={user} />
          <span className="text-note text-ink-2">{roleLabel('owner')}</span>
        </li>
        {members.map((member) => (
          <MemberRow key={member.publicId} member={member} user={user} isOwner={role === 'owner'} />
        ))}
      </ul>
      {role === 'owner' ? null : (
        <div className="mt-4">
          <MutationForm mutation={trpc.team.leave.mutationOptions()} name="leave" onDone={() => goTo('/portal')}>
            <p className="text-note text-pretty text-ink-2">If you leave, only the owner can give you access again.</p>
            <SubmitButton kind="danger">Leave account</SubmitButton>
          </MutationForm>
        </div>
      )}
    </>
  )
}
