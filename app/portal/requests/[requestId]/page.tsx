import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { curlOf } from '../../../../components/portal/curl.ts'
import { RequestDetail } from '../../../../components/portal/request-detail.tsx'
import { currentRoom } from '../../../../server/auth/current-request.ts'
import { RefusedError } from '../../../../server/contract/errors.ts'
import { causeOf } from '../../../../server/trpc/portal-fault.ts'
import { portalCaller, signedIn } from '../../../portal-caller.ts'

export const metadata: Metadata = { title: 'Request' }

async function requestOf(id: string) {
  try {
    return await (await portalCaller()).requests.read({ id })
  } catch (error) {
    const cause = error instanceof Error ? causeOf(error) : null
    if (cause instanceof RefusedError && cause.refusal.code === 'not_found') notFound()
    throw error
  }
}

export default async function RequestPage({ params }: { params: Promise<{ requestId: string }> }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const request = await requestOf((await params).requestId.slice(0, 64))
  const { publicUrl } = await currentRoom()
  return (
    <div className="max-w-200">
      <RequestDetail request={request} curl={curlOf(request, `${publicUrl}/v1`)} />
    </div>
  )
}
