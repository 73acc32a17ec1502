import type { ReactNode } from 'react'
import { ActivePart } from './active-part.tsx'
import { headingId } from './headings.ts'
import { KeySlots } from './key-slots.tsx'

type Link = { readonly href: string; readonly title: string }

type Props = {
  title: string
  description: string
  /** Headings of the page's sections. */
  parts: readonly string[]
  markdownHref: string
  previous?: Link | undefined
  next?: Link | undefined
  children: ReactNode
}

function Rail({ parts }: Pick<Props, 'parts'>) {
  return (
    <nav id="contents" aria-label="On this page" className="sticky top-6 hidden self-start text-note xl:block print:hidden">
      <p className="font-medium text-ink-3">On this page</p>
      <ul className="mt-2 border-l border-line">
        {parts.map((part) => (
          <li key={part}>
            <a
              href={`#${headingId(part)}`}
              className="-ml-px block border-l-2 border-transparent py-1 pl-3 text-pretty text-ink-2 hover:text-ink hover:underline hover:underline-offset-3 aria-[current=location]:border-accent aria-[current=location]:text-ink"
            >
              {part.replaceAll('`', '')}
            </a>
          </li>
        ))}
      </ul>
      <ActivePart menu="contents" />
    </nav>
  )
}

function Step({ link, word, className }: { link: Link; word: string; className: string }) {
  return (
    <a href={link.href} className={`group block rounded-panel border border-line px-4 py-3 hover:bg-hover ${className}`}>
      <span className="block text-note text-ink-2">{word}</span>
      <span className="font-medium text-accent group-hover:underline group-hover:underline-offset-3">{link.title}</span>
    </a>
  )
}

/** Docs page: content, table of contents, and links to the previous and next page. */
export function DocsArticle({ title, description, parts, markdownHref, previous, next, children }: Props) {
  return (
    // Reserves the column of the table of contents before its HTML arrives, so that the text never moves.
    <div className="min-w-0 grow justify-between gap-10 xl:grid xl:grid-cols-[minmax(0,68ch)_11rem]">
      <article className="max-w-[68ch] min-w-0">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <h1 className="text-title font-semibold tracking-tight text-balance">{title}</h1>
          <a className="flex min-h-8 items-center text-note prose-link max-sm:hidden print:hidden" href={markdownHref}>
            View as Markdown
          </a>
        </div>
        <p className="mt-3 text-prose text-pretty text-ink-2">{description}</p>
        <div className="mt-4 sm:mt-8">{children}</div>
        <footer className="mt-16 print:hidden">
          {previous || next ? (
            <nav aria-label="Previous and next page" className="grid gap-3 sm:grid-cols-2">
              {previous ? <Step link={previous} word="Previous" className="" /> : <span className="max-sm:hidden" />}
              {next ? <Step link={next} word="Next" className="sm:text-right" /> : null}
            </nav>
          ) : null}
          <p className="mt-6 text-note sm:hidden">
            <a className="prose-link inline-block py-1.5" href={markdownHref}>
              View as Markdown
            </a>
          </p>
        </footer>
      </article>
      {parts.length > 1 ? <Rail parts={parts} /> : null}
      <KeySlots />
    </div>
  )
}
