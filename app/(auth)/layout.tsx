import type { ReactNode } from 'react'
import { AuthAside } from '#components/auth/auth-aside.tsx'
import { NeedsScripts } from '#components/site/needs-scripts.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { exampleRows } from '#server/api/documents/site/home-page.ts'
import { priceSentence } from '#server/api/documents/usage-rules.ts'
import { currentPath } from '#server/auth/current-request.ts'
import { nextService } from '#server/runtime/next-service.ts'

const card = 'w-full max-w-112 sm:rounded-panel sm:border sm:border-line sm:bg-surface sm:p-8 sm:shadow-panel'

/** Page without a sign-in link in its form. The header has one instead. */
const linkedPath = '/sign-up/check-email'

/** Form in a card. On the sign-up page, the benefits of an account are next to it. */
export default async function AuthLayout({ children }: { children: ReactNode }) {
  const [path = ''] = (await currentPath()).split('?')
  if (path !== '/sign-up')
    return (
      <SiteShell formAction={path === linkedPath ? { href: '/sign-in', name: 'Sign in' } : null}>
        {/* The card starts at 18% of the height of the window; the header and its margin take 6rem. */}
        <div className="flex justify-center sm:mt-[max(0.5rem,calc(18dvh-6rem))]">
          <div className={card}>
            <NeedsScripts />
            {children}
          </div>
        </div>
      </SiteShell>
    )
  const rows = await exampleRows((await nextService()).market().dataset('sample'))
  return (
    <SiteShell formAction={null}>
      <div className="items-start justify-center gap-16 max-lg:flex sm:mt-6 lg:grid lg:grid-cols-[28rem_minmax(0,35rem)]">
        <div className={card}>
          <NeedsScripts />
          {children}
        </div>
        <AuthAside rows={rows} price={priceSentence()} />
      </div>
    </SiteShell>
  )
}
