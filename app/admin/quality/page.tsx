import type { Metadata } from 'next'
import { DeskTitle } from '#components/admin/desk-title.tsx'
import { QualityBoard } from '#components/admin/market/quality-board.tsx'
import { deskCaller, isDeskShut } from '#server/pages/admin-caller.ts'

export const metadata: Metadata = { title: 'Data quality' }

export default async function QualityPage() {
  if (await isDeskShut()) return null
  const quality = await (await deskCaller()).admin.boards.quality()
  return (
    <>
      <DeskTitle>Data quality</DeskTitle>
      <QualityBoard {...quality} />
    </>
  )
}
