import type { Metadata } from 'next'
import { curlOf } from '../../../../components/portal/curl.ts'
import { RequestDetail } from '../../../../components/portal/request-detail.tsx'
import { currentRoom } from '../../../../server/auth/current-request.ts'
import { portalCaller, signedIn } from '../../../portal-caller.ts'
import { found } from '../../found.ts'

export const metadata: Metadata = { title: 'Request' }

export default async function RequestPage({ params }: { params: Promise<{ requestId: string }> }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const request = await found((await portalCaller()).requests.read({ id: (await params).requestId }))
  const { publicUrl } = await currentRoom()
  return (
    <div className="max-w-200">
      <RequestDetail request={request} curl={curlOf(request, `${publicUrl}/v1`)} />
    </div>
  )
}
