import { DocsArticle } from '#components/docs/docs-article.tsx'
import { Markdown } from '#components/docs/markdown.tsx'
import { partsOf } from '#server/api/documents/docs/docs-menu.ts'
import { type DocsPage, docsText } from '#server/api/documents/docs/docs-pages.ts'
import { siteFacts } from './site-facts.ts'

/** Legal page, outside the docs. */
export async function LegalPage({ page }: { page: DocsPage }) {
  const text = await docsText(page, await siteFacts())
  return (
    <DocsArticle {...page} parts={partsOf(text)} markdownHref={`${page.path}.md`}>
      <Markdown source={text} />
    </DocsArticle>
  )
}
