import type { Metadata } from 'next'
import { KeySlots } from '#components/docs/key-slots.tsx'
import { keyPlaceholder } from '#components/docs/test-key.ts'
import { PurposeForm } from '#components/portal/account-forms.tsx'
import { FirstCall, ShownOnce } from '#components/portal/first-call.tsx'
import { KeyReveal } from '#components/portal/key-reveal.tsx'
import { SnippetTabs } from '#components/portal/snippet-tabs.tsx'
import { firstCallSnippets } from '#components/portal/snippets.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { starterCredits } from '#server/api/contract/access.ts'
import { currentCookie } from '#server/auth/current-request.ts'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'
import { apiUrl } from '#server/pages/site-data.ts'

export const metadata: Metadata = { title: 'Welcome' }

export default async function WelcomePage() {
  const viewer = await signedIn()
  const brought = await currentCookie('welcome')
  const key = brought?.account === viewer.publicId ? brought.key : null
  return (
    <div className="flex max-w-176 flex-col gap-6">
      <h1 className="text-h1 font-semibold tracking-tight">Make your first call</h1>
      {key === null ? (
        <p className="flex flex-wrap items-center gap-4 text-ink-2">
          Keys are shown only once, when they are created.
          <ButtonLink kind="second" size="compact" href="/portal/keys/new?mode=test">
            Create test key
          </ButtonLink>
        </p>
      ) : (
        <>
          <Notice tone="good">{starterCredits} credits added.</Notice>
          <KeyReveal value={key} mode="test">
            <p className="font-medium text-good">Done. Examples in this tab keep using this key.</p>
          </KeyReveal>
          <ShownOnce at="/portal/welcome/shown" />
        </>
      )}
      <section aria-labelledby="call">
        <h2 id="call" className="mb-2 text-h2 font-semibold">
          Run this in a terminal
        </h2>
        <SnippetTabs name="first-call" snippets={firstCallSnippets(await apiUrl(), key ?? keyPlaceholder)} />
        <p className="mt-2 text-note text-ink-2">Test keys return sample data with fictional banks and are never charged.</p>
      </section>
      <Prefetched queries={(client, { account }) => [client.prefetchQuery(account.firstCall.queryOptions())]}>
        <FirstCall />
      </Prefetched>
      <KeySlots />
      {viewer.isConfirmed && viewer.state === 'review' && viewer.purpose === '' ? (
        <section aria-labelledby="use">
          <h2 id="use" className="mb-2 text-h2 font-semibold">
            Get live keys
          </h2>
          <PurposeForm purpose="" />
        </section>
      ) : null}
      <p className="flex flex-wrap gap-x-6 gap-y-2 border-t border-line pt-4">
        <a className="prose-link" href="/docs">
          Read the docs
        </a>
        <a className="prose-link" href="/portal">
          Go to the overview
        </a>
      </p>
    </div>
  )
}
