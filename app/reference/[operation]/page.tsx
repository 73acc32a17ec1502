import type { Metadata } from 'next'
import { getEntry } from '#server/api/documents/reference/operation-page.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { OperationReference } from '#server/pages/operation.tsx'

type Props = { params: Promise<{ operation: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { operation } = await params
  const entry = getEntry(operation)
  if (entry === null) return missingMetadata
  const path = `/reference/${operation}`
  return {
    title: `${entry.method} ${entry.path}`,
    description: entry.summary,
    alternates: { canonical: path, types: { 'text/markdown': `${path}.md` } },
  }
}

export default async function OperationRoute({ params, searchParams }: Props) {
  const entry = getEntry((await params).operation)
  return entry === null ? missing() : <OperationReference entry={entry} query={await searchParams} />
}
