import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { ProductDetail } from '../../../components/site/product-detail.tsx'
import { nextService } from '../../../server/next-service.ts'
import { productPage } from '../../../server/publish/product-page.ts'
import { siteOrigin } from '../../(site)/site-origin.ts'

type Props = { params: Promise<{ sourceKey: string }> }

const find = cache(async (params: Props['params']) => {
  const { sourceKey } = await params
  return productPage((await nextService()).market(), sourceKey)
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await find(params)
  if (page === null) return { title: 'Page not found' }
  const { provider, accountName, rate } = page.product
  return {
    title: `${accountName}, ${provider}`,
    description: `${rate}% AER. ${page.product.accountType}.`,
    ...(page.isFictional ? { robots: { index: false } } : {}),
  }
}

export default async function ProductRoute({ params }: Props) {
  const page = await find(params)
  if (page === null) notFound()
  return (
    <ProductDetail
      product={page.product}
      notice={page.notice}
      curl={`curl "${await siteOrigin()}/v1${page.target}" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`}
      cost={page.cost}
    />
  )
}
