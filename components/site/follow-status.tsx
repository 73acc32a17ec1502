import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'

/** Form that requests status emails. */
export function FollowForm() {
  return (
    <form action="/status/subscribe" method="post" className="flex max-w-xl flex-wrap items-end gap-3">
      <label className="min-w-0 grow">
        <span className="mb-1 block font-medium">Email address</span>
        <input
          name="email"
          type="email"
          autoComplete="email"
          className="h-11 w-full rounded-control border border-line-strong bg-surface px-3 text-base sm:text-body"
        />
      </label>
      <Button kind="second" type="submit">
        Email me about incidents
      </Button>
    </form>
  )
}

const messages = {
  sent: { tone: 'good', text: 'Check your email. Status emails start once you open the link in it and confirm.' },
  ended: { tone: 'good', text: "You won't get any more status emails. We've deleted your address." },
  address: { tone: 'danger', text: 'Enter an email address, such as name@example.com.' },
  wait: { tone: 'danger', text: 'Too many attempts. Try again in 60 minutes.' },
} as const

type Step = keyof typeof messages

/** Steps of a request for status emails, in the query string. */
export const followSteps = Object.keys(messages) as Step[]

const title = 'text-title font-semibold tracking-tight'

/** Page after a request for status emails. */
export function FollowStatus({ step }: { step: Step | null }) {
  return (
    <>
      <h1 className={title}>Status emails</h1>
      {step === null ? null : (
        <div className="mt-6 max-w-xl">
          <Notice tone={messages[step].tone}>{messages[step].text}</Notice>
        </div>
      )}
      <div className="mt-6">{step === 'sent' ? null : <FollowForm />}</div>
      <p className="mt-6">
        <a className="prose-link" href="/status">
          Status
        </a>
      </p>
    </>
  )
}

/** Page that status emails link to, to confirm or unsubscribe. Opening it changes nothing, because email clients may open links automatically. */
export function Subscriber({ id, email, isConfirmed }: { id: string; email: string; isConfirmed: boolean }) {
  const confirm = <Action id={id} path="confirm" kind="primary" label="Confirm" />
  return (
    <>
      <h1 className={title}>Status emails</h1>
      <p className="mt-4 max-w-[68ch] wrap-anywhere">
        {isConfirmed ? `We email ${email} about incidents and their updates.` : `Confirm that you want emails about incidents and their updates at ${email}.`}
      </p>
      <div className="mt-6">{isConfirmed ? <Action id={id} path="end" kind="second" label="Stop status emails" /> : confirm}</div>
    </>
  )
}

function Action({ id, path, kind, label }: { id: string; path: string; kind: 'primary' | 'second'; label: string }) {
  return (
    <form action={`/status/follow/${id}/${path}`} method="post">
      <Button kind={kind} type="submit">
        {label}
      </Button>
    </form>
  )
}
