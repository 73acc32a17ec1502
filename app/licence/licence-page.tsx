import { CodeFigure } from '../../components/docs/code-figure.tsx'
import { DocsArticle } from '../../components/docs/docs-article.tsx'
import { Markdown } from '../../components/docs/markdown.tsx'
import { attribution } from '../../server/contract/envelope.ts'
import { partsOf } from '../../server/publish/docs/docs-menu.ts'
import type { LicenceText } from './licence-text.ts'

/** A version of the Data Licence, with the line to show in front. */
export function LicencePage({ licence: { title, description, path, text } }: { licence: LicenceText }) {
  return (
    <DocsArticle title={title} description={description} parts={partsOf(text)} markdownHref={`${path}.md`}>
      <div className="mb-8 print:hidden">
        <CodeFigure label="Attribution" language="" code={attribution} />
      </div>
      <Markdown source={text} />
    </DocsArticle>
  )
}
