import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DocsNav } from '../../../../../components/docs/docs-nav.tsx'
import { ErrorDetail } from '../../../../../components/docs/error-detail.tsx'
import { docsMenu } from '../../../../../server/publish/docs/docs-menu.ts'
import { errorPage } from '../../../../../server/publish/error-pages.ts'

type Props = { params: Promise<{ code: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = errorPage((await params).code)
  if (page === null) return { title: 'Page not found' }
  return { title: page.code, description: page.when, alternates: { types: { 'text/markdown': `/docs/errors/${page.code}.md` } } }
}

export default async function ErrorCodePage({ params }: Props) {
  const page = errorPage((await params).code)
  if (page === null) notFound()
  return (
    <div className="lg:flex lg:gap-10">
      <DocsNav label="Docs" groups={docsMenu} current="/docs/errors" />
      <ErrorDetail {...page} />
    </div>
  )
}
