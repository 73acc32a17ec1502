import type { Metadata } from 'next'
import { cache } from 'react'
import { ProductDetail } from '#components/site/product-detail.tsx'
import { attribution } from '#server/api/contract/envelope.ts'
import { productPage } from '#server/api/documents/product-page.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { siteOrigin } from '#server/pages/site-data.ts'
import { nextService } from '#server/runtime/next-service.ts'

type Props = { params: Promise<{ sourceKey: string }> }

const find = cache(async (params: Props['params']) => {
  const [{ sourceKey }, service] = [await params, await nextService()]
  return productPage(service.market(), service.pages, sourceKey)
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await find(params)
  if (page === null) return missingMetadata
  const { provider, accountName, accountType, rate } = page.heading
  return {
    title: `${accountName}, ${provider}`,
    description: page.withdrawnOn === null ? `${rate}% AER. ${accountType}.` : 'Withdrawn.',
    ...(page.isFictional || page.withdrawnOn !== null ? { robots: { index: false } } : {}),
  }
}

export default async function ProductRoute({ params }: Props) {
  const page = await find(params)
  if (page === null) return missing()
  const curl = `curl "${await siteOrigin()}/v1${page.target}" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`
  return <ProductDetail page={page} curl={curl} attribution={attribution} />
}
