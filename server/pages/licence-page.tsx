import type { ReactNode } from 'react'
import { CodeFigure } from '#components/docs/code.tsx'
import { DocsArticle } from '#components/docs/docs-article.tsx'
import { VersionChanges } from '#components/docs/licence-changes.tsx'
import { Markdown } from '#components/docs/markdown.tsx'
import { textChanges } from '#components/docs/text-changes.ts'
import { Day } from '#components/site/formats.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { attribution } from '#server/api/contract/envelope.ts'
import { docsText, getParts, licencePage, licences } from '#server/api/documents/docs/docs-pages.ts'
import { nextService } from '#server/runtime/next-service.ts'
import { siteData } from './site-data.ts'

/** Version of the Data Licence, as shown on its page. */
type LicenceText = {
  readonly label: string
  readonly path: `/${string}`
  readonly title: string
  readonly description: string
  /** Markdown, without the title. */
  readonly text: string
}

/**
 * Returns the version with this label, even if it has been superseded. If the label is null, returns the version in force. Returns null if no version has the
 * label.
 */
export async function licenceText(asked: string | null): Promise<LicenceText | null> {
  const facts = await siteData()
  const label = asked ?? facts.licence
  const path = `/licence/${label}` as const
  const page = licences.find((one) => one.path === path)
  if (page !== undefined) return { ...page, label, text: await docsText(page, facts) }
  // Bundled versions need no database. Versions published by an administrator are stored in the database.
  const text = label.length > 20 ? null : await (await nextService()).licence(label)
  if (text === null) return null
  return { ...licencePage(label), label, text }
}

/** Returns the versions before and after this one, and the newest one. */
const licencePlace = async (label: string) =>
  (await nextService()).licencePlace(
    label,
    licences.map(({ path }) => path.slice('/licence/'.length)),
  )

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
