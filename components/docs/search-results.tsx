import { Button } from '#components/ui/button.tsx'
import { headingId } from './headings.ts'

type Result = { readonly path: string; readonly title: string; readonly section: string; readonly heading: string; readonly excerpt: string }

/** Text with the search terms highlighted. */
function Marked({ text, query }: { text: string; query: string }) {
  const terms = query.toLowerCase().match(/[a-z0-9]+/g) ?? []
  if (terms.length === 0) return text
  return text.split(new RegExp(`\\b(${terms.join('|')})`, 'gi')).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order
      <mark key={index} className="bg-accent-wash font-medium text-ink">
        {part}
      </mark>
    ),
  )
}

function lead(query: string, count: number): string {
  if (query === '') return 'Search every guide, endpoint and error.'
  if (count === 0) return `No results for “${query}”.`
  return `${count} ${count === 1 ? 'result' : 'results'} for “${query}”.`
}

/** Search form and results. */
export function SearchResults({ query, results }: { query: string; results: readonly Result[] }) {
  return (
    <div className="w-full max-w-[68ch] min-w-0">
      <h1 className="text-title font-semibold tracking-tight">Search</h1>
      <form action="/docs/search" className="mt-5 flex gap-2">
        <label htmlFor="search-page" className="sr-only">
          Search the docs
        </label>
        <input
          id="search-page"
          name="q"
          type="search"
          defaultValue={query}
          className="h-11 min-w-0 grow rounded-control border border-line-strong bg-surface px-3 text-[1rem]"
        />
        <Button kind="primary" type="submit">
          Search
        </Button>
      </form>
      <p className="mt-5 text-ink-2" role="status">
        {lead(query, results.length)}
      </p>
      <ul className="mt-4 border-t border-line-strong empty:hidden">
        {results.map(({ path, title, section, heading, excerpt }) => (
          <li key={`${path} ${heading}`} className="border-b border-line py-3.5">
            <p className="text-note text-ink-3">{section}</p>
            <a className="prose-link font-medium wrap-anywhere" href={heading === '' ? path : `${path}#${headingId(heading)}`}>
              {heading === '' ? title : `${title}: ${heading}`}
            </a>
            <p className="mt-1 text-pretty text-ink-2">
              <Marked text={excerpt} query={query} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}
