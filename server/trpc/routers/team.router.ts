import { z } from 'zod'
import { memberRoles } from '#server/api/contract/teams.ts'
import { acceptInvitation, invite, resendInvitation, revokeInvitation } from '#server/self-service/invitations.ts'
import { getProviderNetwork } from '#server/self-service/single-sign-on/guarded-requests.ts'
import { readSingleSignOn, removeSingleSignOn, requireSingleSignOn, setSingleSignOn } from '#server/self-service/single-sign-on/manage-provider.ts'
import { changeRole, getTeam, leaveTeam, removeMember, transferOwnership } from '#server/self-service/team.ts'
import { forAccount, forVerified, forVerifiedPerson, ownSignIn, PublicId, recent, router } from '../procedures.ts'

const typed = z.string().max(1_000)
const Role = z.enum(memberRoles)
const Invitation = z.object({ email: typed, role: Role })
const Id = z.object({ id: PublicId })
const Member = z.object({ member: PublicId })
const Provider = z.object({ issuer: typed, clientId: typed, clientSecret: typed })
const Required = z.object({ isRequired: z.boolean() })
const Token = z.object({ token: typed })

/** Members of an account and invitations to it. The rules are in server/self-service. */
export const teamRouter = router({
  read: forAccount.query(({ ctx }) => getTeam(ctx.deps, ctx.viewer)),
  invite: forVerified
    .use(recent)
    .input(Invitation)
    .mutation(({ ctx, input }) => invite(ctx.deps, ctx.asker, ctx.viewer, input)),
  resend: forVerified.input(Id).mutation(({ ctx, input }) => resendInvitation(ctx.deps, ctx.viewer, input.id)),
  revoke: forAccount.input(Id).mutation(({ ctx, input }) => revokeInvitation(ctx.deps, ctx.asker, ctx.viewer, input.id)),
  changeRole: forAccount
    .use(recent)
    .input(Member.extend({ role: Role }))
    .mutation(({ ctx, input }) => changeRole(ctx.deps, ctx.asker, ctx.viewer, input.member, input.role)),
  remove: forAccount.input(Member).mutation(({ ctx, input }) => removeMember(ctx.deps, ctx.asker, ctx.viewer, input.member)),
  leave: forAccount.mutation(({ ctx }) => leaveTeam(ctx.deps, ctx.asker, ctx.viewer)),
  transfer: forAccount
    .use(ownSignIn)
    .use(recent)
    .input(Member)
    .mutation(({ ctx, input }) => transferOwnership(ctx.deps, ctx.asker, ctx.viewer, input.member)),
  singleSignOn: forAccount.query(({ ctx }) => readSingleSignOn(ctx.deps, ctx.viewer)),
  setSingleSignOn: forVerified
    .use(recent)
    .input(Provider)
    .mutation(({ ctx, input }) => setSingleSignOn(ctx.deps, getProviderNetwork(ctx.webhooks.settings), ctx.asker, ctx.viewer, input)),
  requireSingleSignOn: forVerified
    .use(recent)
    .input(Required)
    .mutation(({ ctx, input }) => requireSingleSignOn(ctx.deps, ctx.asker, ctx.viewer, input.isRequired)),
  removeSingleSignOn: forVerified.use(recent).mutation(({ ctx }) => removeSingleSignOn(ctx.deps, ctx.asker, ctx.viewer)),
  /** Accepts an invitation with the token of its link. */
  accept: forVerifiedPerson.input(Token).mutation(async ({ ctx, input }) => {
    await acceptInvitation(ctx.deps, ctx.asker, ctx.viewer, input.token)
    return { next: '/portal' }
  }),
})
