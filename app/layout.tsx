import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { EarlyScript } from '#components/site/early-script.tsx'
import { KeptTitle } from '#components/site/kept-title.tsx'
import { getTheme, themeCookieNames } from '#components/site/theme-choice.ts'
import { productName } from '#server/api/contract/product-name.ts'
import { siteOrigin } from '#server/pages/site-data.ts'
import { fontClasses } from './fonts.ts'
import './theme.css'

const description = 'UK savings rates as an API. Pay for what you read.'

export async function generateMetadata(): Promise<Metadata> {
  return {
    metadataBase: new URL(await siteOrigin()),
    title: { default: productName, template: `%s – ${productName}` },
    description,
    openGraph: { type: 'website', siteName: productName, locale: 'en_GB' },
    twitter: { card: 'summary_large_image' },
  }
}

export const viewport: Viewport = { colorScheme: 'light dark' }

// No page is rendered at build time: pages show the data of the running service, and Next marks its scripts with a nonce only when it renders for a request.
// Public pages are rendered once for many readers by server/runtime/page-cache.
export const dynamic = 'force-dynamic'

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The theme cookie is read on the server, so that the first paint has the right theme, even without JavaScript.
  const jar = await cookies()
  const theme = getTheme(themeCookieNames.map((name) => jar.get(name)?.value).find((value) => value !== undefined))
  // The nonce of this rendering, from the same header in which Next reads it. The page cache replaces it with a hash.
  const nonce = /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1] ?? ''
  return (
    <html lang="en-GB" className={fontClasses} data-theme={theme === 'system' ? undefined : theme} suppressHydrationWarning>
      <head>
        <EarlyScript nonce={nonce} />
      </head>
      <body>
        {children}
        <KeptTitle />
      </body>
    </html>
  )
}
