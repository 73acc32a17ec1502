import type { Metadata } from 'next'
import { DocsNav } from '#components/docs/docs-nav.tsx'
import { OperationDetail } from '#components/docs/operation-detail.tsx'
import { operationGroups, referenceMenu } from '#server/api/documents/reference/operation-groups.ts'
import { getEntry, operationPage } from '#server/api/documents/reference/operation-page.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { siteData } from '#server/pages/site-data.ts'

type Props = { params: Promise<{ operation: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { operation } = await params
  const entry = getEntry(operation)
  if (entry === null) return missingMetadata
  return { title: `${entry.method} ${entry.path}`, description: entry.summary, alternates: { types: { 'text/markdown': `/reference/${operation}.md` } } }
}

export default async function OperationRoute({ params }: Props) {
  const entry = getEntry((await params).operation)
  if (entry === null) return missing()
  const facts = await siteData()
  const page = await operationPage(entry, facts)
  return (
    <div className="lg:flex lg:gap-10">
      <DocsNav label="Endpoints" groups={referenceMenu(operationGroups(facts.overrides))} current={page.href} />
      <OperationDetail {...page} />
    </div>
  )
}
