import type { Metadata } from 'next'
import { Help } from '#components/site/help.tsx'
import { nextService } from '#server/runtime/next-service.ts'

export const metadata: Metadata = {
  title: 'Help',
  description: 'Where to find answers and how to contact support.',
  alternates: { canonical: '/help' },
}

export default async function HelpPage() {
  return <Help email={(await nextService()).supportEmail} />
}
