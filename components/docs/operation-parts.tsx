import type { ReactNode } from 'react'
import { Words } from '#components/ui/phrase.tsx'
import { headingId } from './headings.ts'

/** Section of an endpoint's reference page. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={headingId(title)} className="mt-10">
      <h2 id={headingId(title)} className="text-h2 font-semibold">
        {title}
      </h2>
      <div className="mt-3">{children}</div>
    </section>
  )
}

type Line = {
  readonly name: string
  /** Type and other properties, in small print next to the name. */
  readonly facts: string
  readonly description: string
  readonly values: readonly string[]
  readonly example?: string | null
}

function Values({ values }: Pick<Line, 'values'>) {
  return (
    <span className="mt-1 block text-note">
      One of{' '}
      {values.map((value, index) => (
        <span key={value}>
          {index === 0 ? null : ', '}
          <code className="font-mono wrap-anywhere">{value}</code>
        </span>
      ))}
      .
    </span>
  )
}

/** List of parameters or fields with type and description. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <dl className="border-t border-line-strong">
      {lines.map(({ name, facts, description, values, example }) => (
        <div key={name} className="border-b border-line py-2.5">
          <dt className="flex flex-wrap items-baseline gap-x-3">
            <code className="font-mono text-table font-medium wrap-anywhere">{name}</code>
            <span className="text-note text-ink-3">{facts}</span>
          </dt>
          <dd className="mt-0.5 text-pretty text-ink-2">
            <Words text={description} />
            {values.length === 0 ? null : <Values values={values} />}
            {example == null || values.length > 0 ? null : (
              <span className="mt-1 block text-note">
                Example <code className="font-mono wrap-anywhere">{example}</code>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
