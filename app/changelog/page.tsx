import type { Metadata } from 'next'
import { ChangelogFilter, ChangelogList } from '#components/docs/changelog.tsx'
import { type ChangeKind, changeKinds } from '#server/api/contract/changelog.ts'
import { nextService } from '#server/runtime/next-service.ts'

const feed = '/changelog.xml'

export const metadata: Metadata = {
  title: 'Changelog',
  description: "What's new in the API, what changed, and what's being retired.",
  alternates: { types: { 'application/atom+xml': feed } },
}

type Props = { searchParams: Promise<{ kind?: string | string[] }> }

export default async function ChangelogPage({ searchParams }: Props) {
  const { kind } = await searchParams
  const chosen = (Object.keys(changeKinds) as ChangeKind[]).find((known) => known === kind) ?? null
  const entries = await (await nextService()).changelog()
  return (
    <>
      <h1 className="text-title font-semibold tracking-tight">Changelog</h1>
      <p className="mt-3 max-w-[68ch] text-prose text-pretty text-ink-2">
        What's new in the API, what changed, and what's being retired. Within <code className="inline-code">v1</code>, nothing is removed or renamed.
      </p>
      <ChangelogFilter chosen={chosen} feed={feed} />
      <ChangelogList entries={chosen === null ? entries : entries.filter((entry) => entry.kind === chosen)} isFiltered={chosen !== null} />
    </>
  )
}
