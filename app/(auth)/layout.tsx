import type { ReactNode } from 'react'
import { AuthAside } from '#components/auth/auth-aside.tsx'
import { NeedsScripts } from '#components/site/needs-scripts.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { exampleRows } from '#server/api/documents/site/home-page.ts'
import { priceSentence } from '#server/api/documents/usage-rules.ts'
import { currentPath } from '#server/auth/current-request.ts'
import { invitationPath } from '#server/auth/same-origin.ts'
import { nextService } from '#server/runtime/next-service.ts'

const card = 'w-full max-w-112 sm:rounded-panel sm:border sm:border-line sm:bg-surface sm:p-8 sm:shadow-panel'

const [toSignUp, toSignIn] = [
  { href: '/sign-up', name: 'Create account' },
  { href: '/sign-in', name: 'Sign in' },
]

/** Other action of a page, by path. */
const actions: Readonly<Record<string, typeof toSignIn>> = {
  '/sign-in': toSignUp,
  '/sign-up': toSignIn,
  '/sign-up/check-email': toSignIn,
  '/reset': toSignIn,
}

/** Returns the other action of a page, with the invitation that the page was opened for. */
function findAction(path: string, query: string) {
  const action = actions[path]
  if (action === undefined) return null
  const invitation = invitationPath(new URLSearchParams(query).get('next') ?? undefined)
  return invitation === '' ? action : { ...action, href: `${action.href}?next=${encodeURIComponent(invitation)}` }
}

/** Form in a card. Next to the sign-up form, it says what an account gives. */
export default async function AuthLayout({ children }: { children: ReactNode }) {
  const [path = '', query = ''] = (await currentPath()).split('?')
  const action = findAction(path, query)
  const form = (
    <div className={card}>
      <NeedsScripts />
      {children}
    </div>
  )
  if (path !== '/sign-up')
    return (
      <SiteShell formAction={action}>
        <div className="flex justify-center sm:mt-6">{form}</div>
      </SiteShell>
    )
  const rows = await exampleRows((await nextService()).market().dataset('sample'))
  return (
    <SiteShell formAction={action}>
      <div className="items-start gap-16 max-lg:flex max-lg:justify-center sm:mt-6 lg:grid lg:grid-cols-[28rem_minmax(0,1fr)]">
        {form}
        <AuthAside rows={rows} price={priceSentence()} />
      </div>
    </SiteShell>
  )
}
