import type { ReactNode } from 'react'
import { JsonBlock } from '#components/data/json-block.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Path, Words } from '#components/ui/phrase.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { type Availability, AvailabilityTags } from './availability-tags.tsx'
import { type CodeSample, CodeTabs } from './code.tsx'
import { headingId } from './headings.ts'
import { KeySlots } from './key-slots.tsx'

/** Section of an endpoint's reference page. */
function Part({ title, children }: { title: string; children: ReactNode }) {
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
function Lines({ lines }: { lines: readonly Line[] }) {
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

type Described = { readonly name: string; readonly type: string; readonly description: string; readonly values: readonly string[] }

type Props = {
  line: Availability & { readonly method: string; readonly path: string; readonly cost: string; readonly money: string | null; readonly scope: string }
  href: string
  title: string
  group: string
  description: string | null
  tool: string
  access: string
  parameters: readonly (Described & { readonly in: string; readonly isRequired: boolean; readonly example: string | null })[]
  requests: readonly CodeSample[]
  answer: object | null
  isList: boolean
  fields: readonly (Described & { readonly isOptional: boolean })[]
  errors: readonly { readonly code: string; readonly status: number; readonly when: string }[]
  tryHref: string | null
}

function Head({ line, title, group, description, tool, access, tryHref }: Props) {
  const facts = [
    ['Cost', line.money === null ? 'Free' : `${line.cost} · ${line.money}`],
    ['Scope', line.scope],
    ['MCP tool', tool],
  ] as const
  return (
    <header>
      <p className="text-note text-ink-3">{group}</p>
      <h1 className="mt-1 text-h1 font-semibold text-balance sm:text-figure">{title}</h1>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="rounded-control border border-line-strong px-1.5 font-mono text-note font-medium">{line.method}</span>
        <Path text={line.path} />
        <AvailabilityTags availability={line.availability} plan={line.plan} />
      </p>
      <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2">
        {facts.map(([name, text]) => (
          <div key={name} className="flex gap-2">
            <dt className="text-ink-2">{name}</dt>
            <dd className={name === 'Cost' ? 'font-medium' : 'font-mono text-table leading-[1.375rem]'}>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 max-w-[68ch] text-prose text-pretty">
        {description} {access}
      </p>
      {tryHref === null ? null : (
        <p className="mt-5 print:hidden">
          <ButtonLink kind="primary" href={tryHref}>
            Try it
          </ButtonLink>
        </p>
      )}
    </header>
  )
}

function Examples({ requests, answer }: Pick<Props, 'requests' | 'answer'>) {
  if (answer === null) return <p className="text-ink-2">An example will be available once the endpoint launches.</p>
  return (
    <div className="space-y-5 xl:sticky xl:top-6">
      <div id="request">
        <CodeTabs name="request" samples={requests} />
      </div>
      <figure id="response" className="rounded-panel border border-dashed border-test bg-surface">
        <figcaption className="flex flex-wrap items-center gap-2 border-b border-dashed border-test px-3 py-2.5 text-note">
          <Tag tone="test">Test</Tag> Response for a test key. Lists are shortened.
        </figcaption>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
        <section className="max-h-[36rem] overflow-y-auto p-3 print:max-h-none" aria-label="Example response" tabIndex={0}>
          <JsonBlock value={answer} />
        </section>
      </figure>
    </div>
  )
}

const joinDetails = (...facts: readonly (string | false)[]) => facts.filter(Boolean).join(', ')

/** Reference page of an endpoint: cost, examples, parameters, response and errors. */
export function OperationDetail(props: Props) {
  const { parameters, fields, isList, errors, href } = props
  return (
    <article className="min-w-0 grow">
      <Head {...props} />
      <div className="mt-10 gap-10 xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(0,25rem)]">
        <div className="xl:order-2">
          <Examples {...props} />
        </div>
        <div className="max-w-[68ch] xl:order-1 xl:-mt-10">
          <Part title="Parameters">
            {parameters.length === 0 ? (
              <p className="text-ink-2">None.</p>
            ) : (
              <Lines lines={parameters.map((one) => ({ ...one, facts: joinDetails(one.in === 'path' && 'path', one.type, one.isRequired && 'required') }))} />
            )}
          </Part>
          {fields.length === 0 ? null : (
            <Part title={isList ? 'Row fields' : 'Response fields'}>
              <Lines lines={fields.map((one) => ({ ...one, facts: joinDetails(one.type, one.isOptional && 'optional') }))} />
            </Part>
          )}
          <Part title="Errors">
            <p className="mb-3 text-ink-2">Errors are never charged.</p>
            <ul className="border-t border-line-strong">
              {errors.map(({ code, status, when }) => (
                <li key={code} className="grid grid-cols-[2.5rem_1fr] gap-x-2 border-b border-line py-2.5">
                  <span className="font-mono text-table text-ink-2">{status}</span>
                  <span>
                    <a className="prose-link font-mono text-table wrap-anywhere" href={`/docs/errors/${code}`}>
                      {code}
                    </a>
                    <span className="mt-0.5 block text-pretty text-ink-2">{when}</span>
                  </span>
                </li>
              ))}
            </ul>
          </Part>
          <p className="mt-10 text-note print:hidden">
            <a className="prose-link inline-block py-1.5" href={`${href}.md`}>
              View as Markdown
            </a>
          </p>
        </div>
      </div>
      <KeySlots />
    </article>
  )
}
