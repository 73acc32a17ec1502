import type { Metadata } from 'next'
import { InvitationList, InviteForm } from '#components/portal/settings/invitations.tsx'
import { MemberList, RoleList } from '#components/portal/settings/member-list.tsx'
import { SettingsSection as Section } from '#components/portal/settings/settings-parts.tsx'
import { SingleSignOn } from '#components/portal/settings/single-sign-on.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { title: 'Members' }

type Props = { searchParams: Promise<{ done?: string }> }

export default async function MembersPage({ searchParams }: Props) {
  const { member, isConfirmed, state } = await signedIn()
  if (state === 'blocked') return null
  const { done } = await searchParams
  return (
    <>
      {done === 'transfer' ? (
        <div className="mb-6">
          <Notice tone="good">Ownership transferred. You are now a developer.</Notice>
        </div>
      ) : null}
      <Prefetched queries={(client, { team }) => [client.prefetchQuery(team.read.queryOptions()), client.prefetchQuery(team.singleSignOn.queryOptions())]}>
        <Section id="members" title="Members" isTitleHidden lead="Everyone who can use this account. Each person has their own login.">
          <MemberList />
        </Section>
        <Section id="roles" title="Roles" lead="Each key is shown only once, to the person who creates it. No role can view it again.">
          <RoleList />
        </Section>
        <Section id="invitations" title="Invitations" lead="Links work once and expire after 7 days.">
          <InvitationList />
        </Section>
        {member.role === 'owner' && isConfirmed ? (
          <Section id="invite" title="Invite a member">
            <InviteForm />
          </Section>
        ) : null}
        {member.role === 'owner' && isConfirmed ? (
          <Section
            id="single-sign-on"
            title="Single sign-on"
            lead="Members sign in with your organisation's identity provider (OpenID Connect). Each member connects single sign-on under Settings > Security, or when accepting an invitation."
          >
            <SingleSignOn />
          </Section>
        ) : null}
      </Prefetched>
    </>
  )
}
