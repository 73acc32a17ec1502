import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { Console } from '#components/docs/console.tsx'
import { consoleTarget } from '#components/docs/console-target.ts'
import { DocsNav } from '#components/docs/docs-nav.tsx'
import { consoleEndpoint, consoleGroups } from '#server/api/documents/site/console-endpoints.ts'
import { callFromPage } from '#server/api/http/route-mounts.ts'
import { currentSpender } from '#server/auth/auth.ts'
import { siteData } from '#server/pages/site-data.ts'
import { nextService } from '#server/runtime/next-service.ts'

type Query = Record<string, string | string[] | undefined>

export const metadata: Metadata = { title: 'Try it', description: 'Call every endpoint on sample data. Free, no account needed.' }

const text = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)

export default async function ConsolePage({ searchParams }: { searchParams: Promise<Query> }) {
  const query = await searchParams
  const facts = await siteData()
  const endpoint = await consoleEndpoint(text(query['endpoint']), facts)
  const isGiven = endpoint.parameters.some(({ name }) => query[name] !== undefined)
  const values = Object.fromEntries(endpoint.parameters.map(({ name, initial }) => [name, isGiven ? (text(query[name]) ?? '') : initial]))
  const target = consoleTarget(endpoint, values)
  const service = await nextService()
  const answer = query['send'] === undefined ? null : await callFromPage(service, await headers(), target)
  const viewer = await currentSpender()
  const keys = viewer === null ? null : await service.console.getKeys(viewer.accountId)
  const groups = consoleGroups(facts.overrides).map(({ name, endpoints }) => ({
    name,
    links: endpoints.map(({ slug, path }) => ({ href: `/console?endpoint=${slug}`, name: path, isCode: true })),
  }))
  return (
    <div className="lg:flex lg:gap-10">
      <DocsNav label="Endpoints" groups={groups} current={`/console?endpoint=${endpoint.slug}`} hasSearch={false} />
      <Console key={endpoint.slug} endpoint={endpoint} values={values} answer={answer} origin={facts.publicUrl} keys={keys} />
    </div>
  )
}
