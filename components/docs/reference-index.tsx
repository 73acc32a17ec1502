import { Cost, Path } from '#components/ui/phrase.tsx'
import { type Availability, AvailabilityTags } from './availability-tags.tsx'
import { CodeFigure } from './code.tsx'
import { headingId } from './headings.ts'
import { MethodTag } from './method-tag.tsx'

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
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 border-b border-line py-3 sm:grid-cols-[1fr_9rem_10rem] sm:gap-x-6">
      <p className="flex min-w-0 items-baseline gap-2">
        <MethodTag method={method} />{' '}
        <a href={href} className="prose-link min-w-0">
          <Path text={path} />
        </a>
      </p>
      <p className="col-start-1 row-start-2 text-pretty text-ink-2">{summary}</p>
      <p className="col-start-2 row-start-1 text-table tabular-nums max-sm:max-w-36 max-sm:text-right">
        <Cost text={cost} />
      </p>
      <p className="col-start-2 row-start-2 flex flex-wrap items-start gap-1.5 self-start max-sm:max-w-36 max-sm:justify-end sm:col-start-3 sm:row-span-2 sm:row-start-1">
        <AvailabilityTags availability={availability} plan={plan} />
      </p>
    </li>
  )
}

/** Index of all endpoints by group. On a phone, the price is on the line of the path. */
export function ReferenceIndex({ groups, baseUrl }: { groups: readonly Group[]; baseUrl: string }) {
  return (
    <div className="min-w-0 grow">
      <h1 className="text-title font-semibold tracking-tight">API reference</h1>
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
