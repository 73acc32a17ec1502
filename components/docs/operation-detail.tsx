import type { ReactNode } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Path, Words } from '#components/ui/phrase.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { type Availability, availabilityTones } from './availability-tags.tsx'
import type { CallParameter } from './call/call-endpoint.ts'
import { headingId } from './headings.ts'
import { rangeText, ValueList } from './value-list.tsx'

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
  /** Range of a number; empty if there is none. */
  readonly range?: string
}

function Values({ values }: Pick<Line, 'values'>) {
  return (
    <span className="mt-1 block text-note">
      <ValueList values={values} />
    </span>
  )
}

const joinDetails = (...facts: readonly (string | false)[]) => facts.filter(Boolean).join(', ')

/** List of parameters or fields with type and description. */
function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <dl className="border-t border-line-strong">
      {lines.map(({ name, facts, description, values, example, range = '' }) => (
        <div key={name} className="border-b border-line py-2.5">
          <dt className="flex flex-wrap items-baseline gap-x-3">
            <code className="font-mono text-table font-medium wrap-anywhere">{name}</code>
            <span className="text-note text-ink-3">{facts}</span>
          </dt>
          <dd className="mt-0.5 text-pretty text-ink-2">
            <Words text={description} />
            {range === '' ? null : <span className="mt-1 block text-note">{rangeText(range)}</span>}
            {values.length === 0 ? null : <Values values={values} />}
            {example == null || example === '' || values.length > 0 ? null : (
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

type HeadProps = {
  line: Availability & { readonly method: string; readonly path: string; readonly cost: string; readonly money: string | null; readonly scope: string }
  /** Name in the navigation. */
  name: string
  title: string
  group: string
  description: string | null
  /** Empty if the endpoint is not a tool. */
  tool: string
  access: string
}

/** Returns true for a sentence about the cost of an endpoint. */
const isAboutCost = (sentence: string) => sentence.startsWith('Charged per row')

/** Splits a description into its first two sentences, the rest, and what it says about the cost. */
function splitDescription(text: string) {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z`"])/)
  const others = sentences.filter((one) => !isAboutCost(one))
  return { lead: others.slice(0, 2).join(' '), note: others.slice(2).join(' '), cost: sentences.filter(isAboutCost).join(' ') }
}

/** Path, purpose and cost of an endpoint. */
export function OperationHead({ line, name, title, group, description, tool, access }: HeadProps) {
  const facts = [['Scope', line.scope], ...(tool === '' ? [] : [['MCP tool', tool] as const])] as const
  const path = `/v1${line.path}`
  const { lead, note, cost } = splitDescription(description ?? '')
  return (
    <header>
      <p className="text-note text-ink-3">{group}</p>
      <h1 className="mt-1 text-title font-semibold tracking-tight text-balance">{name}</h1>
      {title === name ? null : <p className="mt-1 text-prose text-pretty text-ink-2">{title}.</p>}
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="rounded-control border border-line-strong px-1.5 font-mono text-note font-medium">{line.method}</span>
        <Path text={path} />
        <CopyButton text={path} what="path" />
        {/* The access to an open endpoint is shown below. */}
        {line.availability === 'Open' ? null : <Tag tone={availabilityTones[line.availability]}>{line.availability}</Tag>}
        {line.plan === null ? null : <Tag tone="plain">{line.plan}</Tag>}
      </div>
      {lead === '' ? null : (
        <p className="mt-3 max-w-[68ch] text-body/6 text-pretty">
          <Words text={lead} />
        </p>
      )}
      {note === '' ? null : (
        <p className="mt-3 max-w-[68ch] border-l-2 border-line-strong pl-3 text-table text-pretty text-ink-2">
          <span className="font-medium text-ink">Note</span> <Words text={note} />
        </p>
      )}
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 text-table">
        <dt className="text-ink-2">Cost</dt>
        <dd>
          <span className="font-medium">{line.money === null ? 'Free' : `${line.cost} · ${line.money}`}</span>
          {cost === '' ? null : <span className="block text-note text-ink-2">{cost}</span>}
        </dd>
        {facts.map(([term, text]) => (
          <div key={term} className="contents">
            <dt className="text-ink-2">{term}</dt>
            <dd className="font-mono">{text}</dd>
          </div>
        ))}
        <dt className="text-ink-2">Access</dt>
        <dd className="text-pretty">{access}</dd>
      </dl>
    </header>
  )
}

type ShownParameter = Omit<CallParameter, 'in' | 'example'> & { readonly in: CallParameter['in'] | 'body'; readonly example: string | null }

/** Parameters of an endpoint that can't be called from its page. */
export function OperationParameters({ parameters }: { parameters: readonly ShownParameter[] }) {
  return (
    <Part title="Parameters">
      {parameters.length === 0 ? (
        <p className="text-ink-2">None.</p>
      ) : (
        <Lines
          lines={parameters.map(({ in: where, type, isRequired, ...one }) => ({
            ...one,
            facts: joinDetails(where !== 'query' && where, type, isRequired && 'required'),
          }))}
        />
      )}
    </Part>
  )
}

/** Example call, or its response, of an endpoint that can't be called from its page. */
export function OperationExample({ title, children }: { title: 'Request' | 'Response'; children: ReactNode }) {
  return <Part title={title}>{children}</Part>
}

type ResponseProps = {
  href: string
  isList: boolean
  fields: readonly {
    readonly name: string
    readonly type: string
    readonly description: string
    readonly values: readonly string[]
    readonly isOptional: boolean
  }[]
  errors: readonly { readonly code: string; readonly status: number; readonly when: string }[]
}

/** Fields and errors of an endpoint. */
export function OperationResponse({ fields, isList, errors, href }: ResponseProps) {
  return (
    <>
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
    </>
  )
}
