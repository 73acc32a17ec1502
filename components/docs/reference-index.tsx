import { Cost, Path } from '#components/ui/phrase.tsx'
import { type Availability, AvailabilityTags } from './availability-tags.tsx'
import { CodeFigure } from './code.tsx'
import { headingId } from './headings.ts'

type Operation = Availability & {
  readonly id: string
  readonly href: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly cost: string
}

type Group = { readonly name: string; readonly description: string; readonly operations: readonly Operation[] }

function Row({ operation }: { operation: Operation }) {
  const { href, method, path, summary, cost, availability, plan } = operation
  return (
    <li className="grid gap-x-6 gap-y-1 border-b border-line py-3 sm:grid-cols-[1fr_9rem_10rem]">
      <div className="min-w-0">
        <a href={href} className="prose-link">
          <Path text={method === 'GET' ? path : `${method} ${path}`} />
        </a>
        <p className="mt-0.5 text-pretty text-ink-2">{summary}</p>
      </div>
      <p className="text-table tabular-nums">
        <Cost text={cost} />
      </p>
      <p className="flex flex-wrap items-start gap-1.5 self-start">
        <AvailabilityTags availability={availability} plan={plan} />
      </p>
    </li>
  )
}

/** Index of all endpoints by group. */
export function ReferenceIndex({ groups, baseUrl }: { groups: readonly Group[]; baseUrl: string }) {
  return (
    <div className="min-w-0 grow">
      <h1 className="text-figure font-semibold tracking-tight">API reference</h1>
      <p className="mt-3 max-w-[68ch] text-prose text-pretty text-ink-2">Every endpoint with its cost, availability and required plan.</p>
      <div className="mt-6 max-w-[68ch]">
        <CodeFigure label="Base URL" language="" code={baseUrl} />
      </div>
      {groups.map(({ name, description, operations }) => (
        <section key={name} aria-labelledby={headingId(name)} className="mt-12">
          <h2 id={headingId(name)} className="text-h1 font-semibold">
            {name}
          </h2>
          <p className="mt-1 text-ink-2">{description}</p>
          <ul className="mt-4 border-t border-line-strong">
            {operations.map((operation) => (
              <Row key={operation.id} operation={operation} />
            ))}
          </ul>
        </section>
      ))}
      <p className="mt-12 text-note">
        <a className="prose-link inline-block py-1.5" href="/api/developer/openapi.json">
          OpenAPI 3.1
        </a>{' '}
        ·{' '}
        <a className="prose-link inline-block py-1.5" href="/api/developer/postman.json">
          Postman collection
        </a>{' '}
        ·{' '}
        <a className="prose-link inline-block py-1.5" href="/reference.md">
          View as Markdown
        </a>
      </p>
    </div>
  )
}
