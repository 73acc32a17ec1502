import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { KeyDetail } from '../../../../components/portal/key-detail.tsx'
import { RevokeForm } from '../../../../components/portal/revoke-form.tsx'
import { RotateForm } from '../../../../components/portal/rotate-form.tsx'
import { RefusedError } from '../../../../server/contract/errors.ts'
import { causeOf } from '../../../../server/trpc/portal-fault.ts'
import { portalCaller, signedIn } from '../../../portal-caller.ts'
import { revokeKeyAction, rotateKeyAction } from '../actions.ts'

export const metadata: Metadata = { title: 'Key' }

async function keyOf(id: string) {
  try {
    return await (await portalCaller()).keys.read({ id })
  } catch (error) {
    const cause = error instanceof Error ? causeOf(error) : null
    if (cause instanceof RefusedError && cause.refusal.code === 'not_found') notFound()
    throw error
  }
}

export default async function KeyPage({ params }: { params: Promise<{ id: string }> }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const key = await keyOf((await params).id)
  const isWorking = key.state === 'active' || key.state === 'ending'
  return (
    <div className="max-w-176">
      <KeyDetail keyOf={key} isWaiting={key.mode === 'live' && viewer.state === 'review'} />
      <RotateForm id={key.id} isActive={key.state === 'active'} lastUse={{ usedAt: key.usedAt, usedFrom: key.usedFrom }} action={rotateKeyAction} />
      {isWorking ? (
        <RevokeForm id={key.id} name={key.name} mode={key.mode} lastUse={{ usedAt: key.usedAt, usedFrom: key.usedFrom }} action={revokeKeyAction} />
      ) : null}
    </div>
  )
}
