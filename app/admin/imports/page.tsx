import type { Metadata } from 'next'
import { DeskPart, DeskTitle } from '#components/admin/desk-title.tsx'
import { ImportTable, SourceTable } from '#components/admin/market/import-tables.tsx'
import { Morning } from '#components/admin/market/morning.tsx'
import { deskCaller, isDeskShut } from '#server/pages/admin-caller.ts'

export const metadata: Metadata = { title: 'Imports' }

export default async function ImportsPage() {
  if (await isDeskShut()) return null
  const { since, sources, imports } = await (await deskCaller()).admin.imports.morning()
  return (
    <>
      <DeskTitle>Imports</DeskTitle>
      <Morning since={since} sources={sources} lastImport={imports[0]?.at ?? null} />
      <DeskPart id="sources" title="Sources">
        <SourceTable sources={sources} />
      </DeskPart>
      <DeskPart id="imports" title="Last imports">
        <ImportTable imports={imports} />
      </DeskPart>
    </>
  )
}
