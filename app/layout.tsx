import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { KeptTitle } from '#components/site/kept-title.tsx'
import { getTheme, themeCookieNames } from '#components/site/theme-choice.ts'
import { fontClasses } from './fonts.ts'
import './theme.css'

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='6' fill='%230f5b44'/%3E%3Cpath d='M8 11h16M8 19h16M8 23h16' stroke='%23fff' stroke-width='2.5'/%3E%3C/svg%3E"

export const metadata: Metadata = {
  title: { default: 'Savings Rates API', template: '%s – Savings Rates API' },
  description: 'UK savings rates as an API. Pay for what you read.',
  icons: { icon },
}

export const viewport: Viewport = { colorScheme: 'light dark' }

// Scripts need a nonce that is unique to each response (server/runtime/portal.ts), so pages can't be prerendered.
export const dynamic = 'force-dynamic'

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Read on the server, so that the first paint has the right theme, even without JavaScript.
  const jar = await cookies()
  const theme = getTheme(themeCookieNames.map((name) => jar.get(name)?.value).find((value) => value !== undefined))
  return (
    <html lang="en-GB" className={fontClasses} data-theme={theme === 'system' ? undefined : theme}>
      <body>
        {children}
        <KeptTitle />
      </body>
    </html>
  )
}
