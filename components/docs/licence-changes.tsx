import { Markdown } from './markdown.tsx'
import type { TextChange } from './text-changes.ts'

const looks = {
  removed: { sign: '−', label: 'Removed', Kind: 'del', look: 'border-danger bg-danger-wash' },
  added: { sign: '+', label: 'Added', Kind: 'ins', look: 'border-good bg-good-wash' },
} as const

/** Turns headings into bold text, because heading ids are already used by the full document. */
const headingsToBold = (text: string): string => text.replace(/^#+ (.*)$/gm, '**$1**')

function Change({ kind, text }: TextChange) {
  const { sign, label, Kind, look } = looks[kind]
  return (
    <li className={`border-l-4 py-2 pr-4 pl-3 ${look}`}>
      <p className="text-note font-medium">
        <span aria-hidden="true">{sign} </span>
        {label}
      </p>
      <Kind className="no-underline">
        <Markdown source={headingsToBold(text)} />
      </Kind>
    </li>
  )
}

type Props = {
  /** Label of the previous version. */
  before: string
  /** Summary written by the administrator who published the version. */
  summary: string
  changes: readonly TextChange[] | null
}

/** Summary of the changes and a paragraph-by-paragraph diff. */
export function VersionChanges({ before, summary, changes }: Props) {
  return (
    <section aria-labelledby="changes" className="mb-10">
      <h2 id="changes" className="text-h1 font-semibold text-balance">
        What changed since {before}
      </h2>
      <div className="mt-4">
        <Markdown source={summary} />
      </div>
      {changes?.length === 0 ? <p className="mt-4">The text is unchanged.</p> : null}
      {changes === null || changes.length === 0 ? null : (
        <details className="mt-4">
          <summary className="w-fit cursor-pointer py-1.5 text-accent underline underline-offset-3 hover:decoration-2">Show differences</summary>
          <ol className="mt-3 flex flex-col gap-3">
            {changes.map(({ kind, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: changes keep their order
              <Change key={index} kind={kind} text={text} />
            ))}
          </ol>
        </details>
      )}
    </section>
  )
}
