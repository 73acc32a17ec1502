import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'

/** Unsubscribe page that market alert emails link to. Opening it changes nothing, because email clients may open links automatically. */
export function AlertSubscription({ token, names, isActive }: { token: string; names: readonly string[]; isActive: boolean }) {
  return (
    <>
      <h1 className="text-title font-semibold tracking-tight">Alert emails</h1>
      {isActive ? (
        <p className="mt-4 max-w-[68ch]">We email you when {names.length === 1 ? 'this alert finds' : 'these alerts find'} changes:</p>
      ) : (
        <div className="mt-6 max-w-xl">
          <Notice tone="good">You won't get any more emails from {names.length === 1 ? 'this alert' : 'these alerts'}.</Notice>
        </div>
      )}
      <ul className="mt-4 list-disc pl-5 wrap-anywhere">
        {names.map((name, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Names can be equal, and the list never changes.
          <li key={place}>{name}</li>
        ))}
      </ul>
      {isActive ? (
        <form className="mt-6" action={`/alerts/unsubscribe/${token}/end`} method="post">
          <Button kind="second" type="submit">
            Stop these emails
          </Button>
        </form>
      ) : (
        <p className="mt-6">
          <a className="prose-link" href="/portal/alerts">
            Your alerts
          </a>
        </p>
      )}
    </>
  )
}
