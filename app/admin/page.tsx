import type { Metadata } from 'next'
import { DeskNow } from '#components/admin/desk-now.tsx'
import { deskCaller, isDeskShut } from '#server/pages/admin-caller.ts'

export const metadata: Metadata = { title: 'Admin' }

export default async function DeskPage() {
  if (await isDeskShut()) return null
  const waiting = await (await deskCaller()).admin.now.list()
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">What needs you now</h1>
      <DeskNow waiting={waiting} />
    </>
  )
}
