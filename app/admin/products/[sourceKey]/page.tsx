import type { Metadata } from 'next'
import { cache } from 'react'
import { ConfirmForm, EndForm, TermsForm, WithdrawForm } from '#components/admin/market/product-forms.tsx'
import { FormerCorrections, ProductDetails } from '#components/admin/market/products.tsx'
import { adminCaller, lacksAdminAccess, plannedIn } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { correctProductAction, endCorrectionAction, previewCorrectionAction, withdrawProductAction } from '../actions.ts'

type Props = { params: Promise<{ sourceKey: string }>; searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

const getProduct = cache(async (sourceKey: string) => found((await adminCaller()).admin.products.read({ sourceKey })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  if (await lacksAdminAccess()) return { title: 'Products' }
  const product = await getProduct((await params).sourceKey)
  return product === null ? missingMetadata : { title: product.accountName }
}

export default async function ProductPage({ params, searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const product = await getProduct((await params).sourceKey)
  if (product === null) return missing()
  const { sourceKey, seen, typed, correction, isWithdrawn } = product
  const planned = correction === null && !isWithdrawn ? await plannedIn(sourceKey, await searchParams) : null
  const isOpen = correction === null && !isWithdrawn && planned === null
  return (
    <>
      <ProductDetails product={product} />
      {planned === null ? null : <ConfirmForm sourceKey={sourceKey} seen={seen} {...planned} action={correctProductAction} />}
      {correction === null ? null : <EndForm sourceKey={sourceKey} correction={correction} action={endCorrectionAction} />}
      {isOpen ? <TermsForm sourceKey={sourceKey} terms={typed} action={previewCorrectionAction} /> : null}
      {isOpen ? <WithdrawForm sourceKey={sourceKey} seen={seen} action={withdrawProductAction} /> : null}
      <FormerCorrections former={product.former} />
    </>
  )
}
