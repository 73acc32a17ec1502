import type { Metadata } from 'next'
import { AlertDetail } from '#components/portal/alerts/alert-detail.tsx'
import { getAlert } from '#server/pages/alert-pages.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  return titled('Alert', () => getAlert(id))
}

export default async function AlertPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { id } = await params
  const alert = await getAlert(id)
  if (alert === null) return missingThing()
  return (
    <Prefetched queries={(client, { alerts }) => [client.prefetchQuery({ ...alerts.read.queryOptions({ id }), initialData: alert })]}>
      <AlertDetail id={id} />
    </Prefetched>
  )
}
