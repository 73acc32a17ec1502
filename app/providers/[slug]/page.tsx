import type { Metadata } from 'next'
import { cache } from 'react'
import { ProviderDetail } from '#components/site/provider-detail.tsx'
import { attribution } from '#server/api/contract/envelope.ts'
import { providerPage } from '#server/api/documents/provider-page.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { siteOrigin } from '#server/pages/site-data.ts'
import { nextService } from '#server/runtime/next-service.ts'

type Props = { params: Promise<{ slug: string }> }

const find = cache(async (params: Props['params']) => {
  const [{ slug }, service] = [await params, await nextService()]
  return providerPage(service.market(), service.pages, slug)
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await find(params)
  if (page === null) return missingMetadata
  const { name, productCount } = page.provider
  return {
    title: name,
    description: page.isListed ? `${productCount} savings accounts from ${name}.` : `${name} is no longer listed.`,
    ...(page.isFictional || !page.isListed ? { robots: { index: false } } : {}),
  }
}

export default async function ProviderRoute({ params }: Props) {
  const page = await find(params)
  if (page === null) return missing()
  const curl = `curl "${await siteOrigin()}/v1${page.target}" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`
  return <ProviderDetail page={page} curl={curl} attribution={attribution} />
}
