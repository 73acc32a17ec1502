import type { Metadata } from 'next'
import { DocsNav } from '#components/docs/docs-nav.tsx'
import { SearchResults } from '#components/docs/search-results.tsx'
import { docsMenu } from '#server/api/documents/docs/docs-pages.ts'
import { search } from '#server/api/documents/site/search-index.ts'
import { siteData } from '#server/pages/site-data.ts'

type Props = { searchParams: Promise<{ q?: string | string[] }> }

export const metadata: Metadata = { title: 'Search', robots: { index: false } }

export default async function SearchPage({ searchParams }: Props) {
  const { q } = await searchParams
  const query = typeof q === 'string' ? q.trim().slice(0, 100) : ''
  return (
    <div className="lg:flex lg:gap-10">
      <DocsNav label="Docs" groups={docsMenu} current="/docs/search" hasSearch={false} />
      <SearchResults query={query} results={await search(query, await siteData())} />
    </div>
  )
}
