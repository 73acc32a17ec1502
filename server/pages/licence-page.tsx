import type { ReactNode } from 'react'
import { CodeFigure } from '#components/docs/code.tsx'
import { DocsArticle } from '#components/docs/docs-article.tsx'
import { VersionChanges } from '#components/docs/licence-changes.tsx'
import { Markdown } from '#components/docs/markdown.tsx'
import { textChanges } from '#components/docs/text-changes.ts'
import { Day } from '#components/site/formats.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { attribution } from '#server/api/contract/envelope.ts'
import { getParts } from '#server/api/documents/docs/docs-menu.ts'
import { licencePage } from '#server/api/documents/docs/docs-pages.ts'
import { type LicenceText, licencePlace, licenceText } from './licence-text.ts'

type Place = NonNullable<Awaited<ReturnType<typeof licencePlace>>>

function Superseded({ newest, newestAt }: Place) {
  const { title, path } = licencePage(newest)
  return (
    <div className="mb-8">
      <Notice tone="caution" title="This version has been superseded">
        <a className="prose-link" href={path}>
          {title}
        </a>{' '}
        replaced it on <Day on={newestAt.toISOString()} />. This version remains available.
      </Notice>
    </div>
  )
}

async function changesSince(older: string, { changes }: Place, text: string): Promise<ReactNode> {
  const before = await licenceText(older)
  return <VersionChanges before={older} summary={changes} changes={before === null ? null : textChanges(before.text, text)} />
}

/** Page of a Data Licence version: changes, attribution, text, and links to the previous and next version. */
export async function LicencePage({ licence: { label, title, description, path, text } }: { licence: LicenceText }) {
  const place = await licencePlace(label)
  const [older, newer] = [place?.older ?? null, place?.newer ?? null]
  return (
    <DocsArticle
      title={title}
      description={description}
      parts={getParts(text)}
      markdownHref={`${path}.md`}
      previous={older === null ? undefined : { href: licencePage(older).path, title: licencePage(older).title }}
      next={newer === null ? undefined : { href: licencePage(newer).path, title: licencePage(newer).title }}
    >
      {place === null || place.newest === label ? null : <Superseded {...place} />}
      {place === null || older === null ? null : await changesSince(older, place, text)}
      <div className="mb-8 print:hidden">
        <CodeFigure label="Attribution" language="" code={attribution} />
      </div>
      <Markdown source={text} />
    </DocsArticle>
  )
}
