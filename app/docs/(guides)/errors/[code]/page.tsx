import type { Metadata } from 'next'
import { DocsNav } from '#components/docs/docs-nav.tsx'
import { ErrorDetail } from '#components/docs/error-detail.tsx'
import { docsMenu } from '#server/api/documents/docs/docs-pages.ts'
import { errorPage } from '#server/api/documents/error-texts.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { siteOrigin } from '#server/pages/site-data.ts'

type Props = { params: Promise<{ code: string }> }

const getPage = async ({ params }: Props) => errorPage((await params).code, await siteOrigin())

export async function generateMetadata(props: Props): Promise<Metadata> {
  const page = await getPage(props)
  if (page === null) return missingMetadata
  return { title: page.code, description: page.when, alternates: { types: { 'text/markdown': `/docs/errors/${page.code}.md` } } }
}

export default async function ErrorCodePage(props: Props) {
  const page = await getPage(props)
  if (page === null) return missing()
  return (
    <div className="lg:flex lg:gap-10">
      <DocsNav label="Docs" groups={docsMenu} current="/docs/errors" />
      <ErrorDetail {...page} />
    </div>
  )
}
