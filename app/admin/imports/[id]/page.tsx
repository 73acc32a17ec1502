import type { Metadata } from 'next'
import { cache } from 'react'
import { HeldPreview, RejectedRows } from '#components/admin/market/quarantined-import.tsx'
import { FetchForm, FetchTable, HeldForms, SourceDetails } from '#components/admin/market/source-detail.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { declineFeedAction, fetchSourceAction, publishFeedAction } from '../actions.ts'

type Props = { params: Promise<{ id: string }> }

const getSource = cache(async (source: string) => found((await adminCaller()).admin.imports.source({ source })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  if (await lacksAdminAccess()) return { title: 'Imports' }
  const source = await getSource((await params).id)
  return source === null ? missingMetadata : { title: source.line.title }
}

export default async function ImportPage({ params }: Props) {
  if (await lacksAdminAccess()) return null
  const source = await getSource((await params).id)
  if (source === null) return missing()
  const { line, held, order, fetches } = source
  const { name } = line
  return (
    <>
      <SourceDetails line={line} order={order} />
      {held?.state === 'waiting' && held.preview ? (
        <>
          <HeldPreview fetchedAt={held.fetchedAt} preview={held.preview} />
          <HeldForms source={name} feed={held.id} preview={held.preview} publish={publishFeedAction} decline={declineFeedAction} />
        </>
      ) : null}
      {held?.state === 'refused' && held.faults ? <RejectedRows fetchedAt={held.fetchedAt} faults={held.faults} /> : null}
      <FetchForm source={name} fetch={fetchSourceAction} />
      <FetchTable fetches={fetches} />
    </>
  )
}
