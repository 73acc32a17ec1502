import { headers } from 'next/headers'
import { callTarget, targetMark } from '#components/docs/call/call-target.ts'
import { OperationCall } from '#components/docs/call/operation-call.tsx'
import { CodeFigure, CodeTabs } from '#components/docs/code.tsx'
import { DocsNav } from '#components/docs/docs-nav.tsx'
import { highlight } from '#components/docs/highlight.ts'
import { KeySlots } from '#components/docs/key-slots.tsx'
import { OperationExample, OperationHead, OperationParameters, OperationResponse } from '#components/docs/operation-detail.tsx'
import { operationCall } from '#server/api/documents/reference/operation-call.ts'
import { operationGroups, referenceMenu } from '#server/api/documents/reference/operation-groups.ts'
import { type getEntry, operationPage } from '#server/api/documents/reference/operation-page.ts'
import { callFromPage } from '#server/api/http/route-mounts.ts'
import { nextService } from '#server/runtime/next-service.ts'
import { siteData } from './site-data.ts'

type Query = Readonly<Record<string, string | string[] | undefined>>

const text = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)

/**
 * Reference page of an endpoint. Its fields are filled in from the query, if there is one. Browsers without JavaScript send `send=1`, and get the response with
 * the page; that call always uses sample data.
 */
export async function OperationReference({ entry, query }: { entry: NonNullable<ReturnType<typeof getEntry>>; query: Query }) {
  const facts = await siteData()
  const page = await operationPage(entry, facts)
  const { initial, samples, ...call } = operationCall(entry, page, facts, targetMark)
  const isGiven = call.parameters.some(({ name }) => query[name] !== undefined)
  const values = Object.fromEntries(
    call.parameters.map(({ name, in: where }) => [name, (isGiven ? text(query[name]) : initial[name]) ?? (where === 'path' ? (initial[name] ?? '') : '')]),
  )
  const isSent = page.isCallable && query['send'] !== undefined
  const answer = isSent ? await callFromPage(await nextService(), await headers(), callTarget(call, values)) : null
  const tabs = samples.map((sample) => ({ ...sample, lines: highlight(sample.code, sample.language) }))
  const head = <OperationHead {...page} />
  return (
    <div className="lg:flex lg:gap-10">
      <DocsNav label="Endpoints" groups={referenceMenu(operationGroups(facts.overrides))} current={page.href} />
      {page.isCallable ? (
        <OperationCall endpoint={{ ...call, tabs }} values={values} answer={answer} example={page.answer} head={head}>
          <OperationResponse {...page} />
        </OperationCall>
      ) : (
        <article className="max-w-[68ch] min-w-0 grow">
          {head}
          <OperationParameters parameters={page.parameters} />
          {page.requests.length === 0 ? null : (
            <OperationExample title="Request">
              <CodeTabs name="request" samples={page.requests} />
            </OperationExample>
          )}
          {page.answer === null ? null : (
            <OperationExample title="Response">
              <CodeFigure label="Example" language="json" code={JSON.stringify(page.answer, null, 2)} />
            </OperationExample>
          )}
          <OperationResponse {...page} />
        </article>
      )}
      <KeySlots />
    </div>
  )
}
