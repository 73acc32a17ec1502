import type { Metadata } from 'next'
import { DocsNav } from '#components/docs/docs-nav.tsx'
import { ReferenceIndex } from '#components/docs/reference-index.tsx'
import { operationGroups, referenceMenu } from '#server/api/documents/reference/operation-groups.ts'
import { siteData } from '#server/pages/site-data.ts'

export const metadata: Metadata = {
  title: 'API reference',
  description: 'Every endpoint with its price and availability.',
  alternates: { types: { 'text/markdown': '/reference.md' } },
}

export default async function ReferencePage() {
  const { overrides, publicUrl } = await siteData()
  const groups = operationGroups(overrides)
  return (
    <div className="lg:flex lg:gap-10">
      <DocsNav label="Endpoints" groups={referenceMenu(groups)} current="/reference" />
      <ReferenceIndex groups={groups} baseUrl={`${publicUrl}/v1`} />
    </div>
  )
}
