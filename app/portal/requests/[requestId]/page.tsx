import type { Metadata } from 'next'
import { cache } from 'react'
import { curlOf } from '../../../../components/portal/curl.ts'
import { RequestDetail } from '../../../../components/portal/request-detail.tsx'
import { currentRoom } from '../../../../server/auth/current-request.ts'
import { portalCaller, signedIn } from '../../../portal-caller.ts'
import { found } from '../../found.ts'

type Props = { params: Promise<{ requestId: string }> }

const requestOf = cache(async (id: string) => found((await portalCaller()).requests.read({ id })))

/** Asks for the request itself, so that a page that does not exist is known before it is begun and is called so. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const viewer = await signedIn()
  if (viewer.state !== 'blocked') await requestOf((await params).requestId)
  return { title: 'Request' }
}

export default async function RequestPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const request = await requestOf((await params).requestId)
  const { publicUrl } = await currentRoom()
  return (
    <div className="max-w-200">
      <RequestDetail request={request} curl={curlOf(request, `${publicUrl}/v1`)} />
    </div>
  )
}
