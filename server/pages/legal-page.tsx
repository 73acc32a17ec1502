import { DocsArticle } from '#components/docs/docs-article.tsx'
import { Markdown } from '#components/docs/markdown.tsx'
import { type DocsPage, docsText, getParts } from '#server/api/documents/docs/docs-pages.ts'
import { siteData } from './site-data.ts'

/** Legal page, outside the docs. */
export async function LegalPage({ page }: { page: DocsPage }) {
  const text = await docsText(page, await siteData())
  return (
    <DocsArticle {...page} parts={getParts(text)} markdownHref={`${page.path}.md`}>
      <Markdown source={text} />
    </DocsArticle>
  )
}
