import type { Metadata } from 'next'
import { cache } from 'react'
import { RequestDetail } from '#components/portal/request-detail.tsx'
import { getCurl } from '#components/portal/snippets.ts'
import { currentAuthContext } from '#server/auth/current-request.ts'
import { found } from '#server/pages/load.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

type Props = { params: Promise<{ requestId: string }> }

const getRequest = cache(async (id: string) => found((await portalCaller()).requests.read({ id })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { requestId } = await params
  return titled('Request', () => getRequest(requestId))
}

export default async function RequestPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const request = await getRequest((await params).requestId)
  if (request === null) return missingThing()
  const { publicUrl } = await currentAuthContext()
  return (
    <div className="max-w-200">
      <RequestDetail request={request} curl={getCurl(request, `${publicUrl}/v1`)} />
    </div>
  )
}
