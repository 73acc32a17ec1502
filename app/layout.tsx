import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import './theme.css'

export const metadata: Metadata = {
  title: 'Savings Rates API',
  description: 'UK savings rates as an API. Pay for what you read.',
}

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-GB">
      <body>{children}</body>
    </html>
  )
}
