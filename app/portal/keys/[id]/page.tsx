import type { Metadata } from 'next'
import { cache } from 'react'
import { KeyDetail, RevokeForm } from '#components/portal/key-detail.tsx'
import { RotateForm } from '#components/portal/rotate-form.tsx'
import { scopes } from '#server/api/contract/access.ts'
import { found } from '#server/pages/load.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'
import { apiUrl } from '#server/pages/site-data.ts'

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ edit?: string }> }

const scopeLines = Object.entries(scopes).map(([name, opens]) => ({ name, opens }))

const getKey = cache(async (id: string) => found((await portalCaller()).keys.read({ id })))

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const { id } = await params
  return titled(
    'Key',
    () => getKey(id),
    ({ name }) => name,
  )
}

export default async function KeyPage({ params, searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const key = await getKey((await params).id)
  if (key === null) return missingThing()
  const { id } = key
  const startsEdited = (await searchParams).edit !== undefined
  // Only these two fields, because they are sent to the browser.
  const review = viewer.state === 'review' ? { confirmedAt: viewer.confirmedAt, declineReason: viewer.declineReason } : null
  return (
    <Prefetched queries={(client, { keys }) => [client.prefetchQuery({ ...keys.read.queryOptions({ id }), initialData: key })]}>
      <KeyDetail id={id} scopes={scopeLines} review={review} startsEdited={startsEdited} aside={<RevokeForm id={id} />}>
        <RotateForm id={id} apiUrl={await apiUrl()} />
      </KeyDetail>
    </Prefetched>
  )
}
