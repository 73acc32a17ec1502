import type { ReactNode } from 'react'
import { JsonBlock } from '#components/data/json-block.tsx'
import { Words } from '#components/ui/phrase.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { headingId } from './headings.ts'

type Props = {
  code: string
  status: number
  when: string
  why: string
  next: readonly string[]
  /** Portal page on which the account owner can fix the cause. */
  page: { readonly href: string; readonly label: string } | null
  fields: readonly { name: string; text: string }[]
  example: object
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8">
      <h2 id={headingId(title)} className="text-h2 font-semibold">
        {title}
      </h2>
      <div className="mt-1.5 text-prose text-pretty">{children}</div>
    </section>
  )
}

function Fields({ fields }: Pick<Props, 'fields'>) {
  if (fields.length === 0) return <p>None beyond the four fields that every error has.</p>
  return (
    <dl className="border-t border-line">
      {fields.map(({ name, text }) => (
        <div key={name} className="border-b border-line py-2.5 sm:grid sm:grid-cols-[9rem_1fr] sm:gap-4">
          <dt className="font-mono text-table sm:leading-[1.6875rem]">{name}</dt>
          <dd>
            <Words text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Page for an error code: what happened, why, and what to do next. */
export function ErrorDetail({ code, status, when, why, next, page, fields, example }: Props) {
  return (
    <article className="w-full max-w-[68ch] min-w-0">
      <p className="text-ink-2">
        <a className="prose-link inline-block py-1" href="/docs/errors">
          Errors
        </a>
      </p>
      <h1 className="mt-2 font-mono text-h1 font-semibold wrap-anywhere sm:text-title">{code}</h1>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <span>
          HTTP status <span className="font-mono">{status}</span>
        </span>
        <Tag tone="good">Never charged.</Tag>
      </p>
      <Part title="What happened">{when}</Part>
      <Part title="Why">
        <Words text={why} />
      </Part>
      <Part title="What to do next">
        <ul className="list-disc space-y-1.5 pl-5 marker:text-ink-3">
          {next.map((text) => (
            <li key={text}>
              <Words text={text} />
            </li>
          ))}
        </ul>
        {page === null ? null : (
          <p className="mt-3">
            <a className="prose-link" href={page.href}>
              {page.label}
            </a>
          </p>
        )}
      </Part>
      <Part title="Extra fields">
        <Fields fields={fields} />
      </Part>
      <Part title="Example response">
        <div className="mt-2 rounded-panel border border-line bg-sunken p-3">
          <JsonBlock value={example} />
        </div>
      </Part>
      <p className="mt-10 text-note print:hidden">
        <a className="prose-link inline-block py-1.5" href={`/docs/errors/${code}.md`}>
          View as Markdown
        </a>
      </p>
    </article>
  )
}
