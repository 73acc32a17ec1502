import type { Metadata } from 'next'
import { Help } from '#components/site/help.tsx'
import { nextService } from '#server/runtime/next-service.ts'

export const metadata: Metadata = {
  title: 'Help',
  description: 'Where to look, whom to write to, and what to send along.',
  alternates: { canonical: '/help' },
}

export default async function HelpPage() {
  return <Help email={(await nextService()).supportEmail} />
}
