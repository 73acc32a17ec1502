import { CodeFigure } from '../../components/docs/code-figure.tsx'
import { DocsArticle } from '../../components/docs/docs-article.tsx'
import { Markdown } from '../../components/docs/markdown.tsx'
import { attribution } from '../../server/contract/envelope.ts'
import { partsOf } from '../../server/publish/docs/docs-menu.ts'
import { type DocsPage, docsText } from '../../server/publish/docs/docs-pages.ts'
import { siteFacts } from '../site-facts.ts'

/** A version of the Data Licence, with the line to show in front. */
export async function LicencePage({ page }: { page: DocsPage }) {
  const text = await docsText(page, await siteFacts())
  return (
    <DocsArticle {...page} parts={partsOf(text)} markdownHref={`${page.path}.md`}>
      <div className="mb-8 print:hidden">
        <CodeFigure label="Attribution" language="" code={attribution} />
      </div>
      <Markdown source={text} />
    </DocsArticle>
  )
}
