import type { ReactNode } from 'react'
import { AuthAside } from '#components/auth/auth-aside.tsx'
import { NeedsScripts } from '#components/site/needs-scripts.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { starterCredits } from '#server/api/contract/access.ts'
import { exampleRows } from '#server/api/documents/site/home-page.ts'
import { priceSentence } from '#server/api/documents/usage-rules.ts'
import { currentPath } from '#server/auth/current-request.ts'
import { nextService } from '#server/runtime/next-service.ts'

const card = 'w-full max-w-112 sm:rounded-panel sm:border sm:border-line sm:bg-surface sm:p-8 sm:shadow-panel'

/** Form in a card. Next to the sign-up form, it says what an account gives. */
export default async function AuthLayout({ children }: { children: ReactNode }) {
  const path = (await currentPath()).split('?')[0] ?? ''
  const form = (
    <div className={card}>
      <NeedsScripts />
      {children}
    </div>
  )
  if (path !== '/sign-up')
    return (
      <SiteShell isFooterShort>
        <div className="flex justify-center sm:mt-6">{form}</div>
      </SiteShell>
    )
  const rows = await exampleRows((await nextService()).market().dataset('sample'))
  return (
    <SiteShell isFooterShort>
      <div className="items-center gap-16 max-lg:flex max-lg:justify-center sm:mt-6 lg:grid lg:grid-cols-[28rem_minmax(0,1fr)]">
        {form}
        <AuthAside rows={rows} starterCredits={starterCredits} price={priceSentence()} />
      </div>
    </SiteShell>
  )
}
