import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ErrorDetail } from '../../../../components/docs/error-detail.tsx'
import { errorList, errorPage } from '../../../../server/publish/error-pages.ts'

type Props = { params: Promise<{ code: string }> }

// The codes are known at build time; any other code is a page that does not exist.
export const dynamicParams = false

export function generateStaticParams() {
  return errorList().map(({ code }) => ({ code }))
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { code } = await params
  return { title: code }
}

export default async function ErrorCodePage({ params }: Props) {
  const page = errorPage((await params).code)
  if (page === null) notFound()
  return <ErrorDetail {...page} />
}
