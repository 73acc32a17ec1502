import type { Metadata } from 'next'
import { isDeskShut } from '../desk-caller.ts'

export const metadata: Metadata = { title: 'Admin' }

export default async function DeskPage() {
  if (await isDeskShut()) return null
  return <h1 className="mb-6 text-h1 font-semibold tracking-tight">What needs you now</h1>
}
