import type { Metadata } from 'next'
import { guides } from '#server/api/documents/docs/docs-pages.ts'
import { DocsGuide } from '#server/pages/markdown-pages.tsx'
import { missing, missingMetadata } from '#server/pages/missing.tsx'

type Props = { params: Promise<{ slug: string[] }> }

async function find(params: Props['params']) {
  const path = `/docs/${(await params).slug.join('/')}`
  return guides.find((page) => page.path === path)
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await find(params)
  if (page === undefined) return missingMetadata
  return { title: page.title, description: page.description, alternates: { types: { 'text/markdown': `${page.path}.md` } } }
}

export default async function GuidePage({ params }: Props) {
  const page = await find(params)
  if (page === undefined) return missing()
  return <DocsGuide page={page} />
}
