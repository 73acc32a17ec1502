import type { Metadata } from 'next'
import { cache } from 'react'
import { KeyDetail, RevokeForm } from '#components/portal/key-detail.tsx'
import { RotateForm } from '#components/portal/rotate-form.tsx'
import { found } from '#server/pages/load.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { apiUrl } from '#server/pages/site-data.ts'
import { revokeKeyAction, rotateKeyAction } from '../actions.ts'

type Props = { params: Promise<{ id: string }> }

const getKey = cache(async (id: string) => found((await portalCaller()).keys.read({ id })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  return titled(
    'Key',
    () => getKey(id),
    ({ name }) => name,
  )
}

export default async function KeyPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const key = await getKey((await params).id)
  if (key === null) return missingThing()
  const isWorking = key.state === 'active' || key.state === 'ending'
  return (
    <div className="max-w-176">
      <KeyDetail apiKey={key} isWaiting={key.mode === 'live' && viewer.state === 'review'} declineReason={viewer.declineReason} />
      <RotateForm
        id={key.id}
        isActive={key.state === 'active'}
        lastUse={{ usedAt: key.usedAt, usedFrom: key.usedFrom }}
        apiUrl={await apiUrl()}
        action={rotateKeyAction}
      />
      {isWorking ? <RevokeForm apiKey={key} lastUse={{ usedAt: key.usedAt, usedFrom: key.usedFrom }} action={revokeKeyAction} /> : null}
    </div>
  )
}
