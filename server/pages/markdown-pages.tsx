import { DocsArticle } from '#components/docs/docs-article.tsx'
import { DocsNav } from '#components/docs/docs-nav.tsx'
import { Markdown } from '#components/docs/markdown.tsx'
import { type DocsPage, docsMenu, docsText, getNeighbours, getParts } from '#server/api/documents/docs/docs-pages.ts'
import { siteData } from './site-data.ts'

/** Docs guide with its navigation. */
export async function DocsGuide({ page }: { page: DocsPage }) {
  const text = await docsText(page, await siteData())
  return (
    <div className="lg:flex lg:gap-10">
      <DocsNav label="Docs" groups={docsMenu} current={page.path} />
      <DocsArticle {...page} parts={getParts(text)} markdownHref={`${page.path}.md`} {...getNeighbours(page.path)}>
        <Markdown source={text} />
      </DocsArticle>
    </div>
  )
}

/** Legal page, outside the docs. */
export async function LegalPage({ page }: { page: DocsPage }) {
  const text = await docsText(page, await siteData())
  return (
    <DocsArticle {...page} parts={getParts(text)} markdownHref={`${page.path}.md`}>
      <Markdown source={text} />
    </DocsArticle>
  )
}
