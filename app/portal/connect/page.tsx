import type { Metadata } from 'next'
import { ConnectForm } from '#components/portal/connect-form.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { scopes as allScopes } from '#server/api/contract/access.ts'
import { AuthorizationParameters } from '#server/api/contract/oauth.ts'
import { toLabel } from '#server/api/contract/teams.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Connect an application', referrer: 'no-referrer' }

type Props = { searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

/** Returns the destination after approval: the host of a web URL, otherwise the application's own scheme. */
const place = ({ protocol, host }: URL): string => (protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//`)

/** Consent page of the OAuth authorisation endpoint. */
export default async function ConnectPage({ searchParams }: Props) {
  const viewer = await signedIn()
  const { data: parameters } = AuthorizationParameters.safeParse(await searchParams)
  const request = parameters && (await (await portalCaller()).oauth.read(parameters))
  if (request === undefined || 'fault' in request)
    return (
      <div className="max-w-152">
        <PageHead title="Connect an application" />
        <Notice tone="caution">{request?.fault ?? 'This link is incomplete. Start again in the application that sent you here.'}</Notice>
        {request?.returnUrl ? (
          <p className="mt-4">
            <ButtonLink kind="second" href={request.returnUrl}>
              Return to {place(new URL(request.returnUrl))}
            </ButtonLink>
          </p>
        ) : null}
      </div>
    )
  const { name, returnsTo, scopes, isReplacement, denyUrl } = request
  return (
    <div className="max-w-152">
      <PageHead title={`Connect ${name}`} />
      <p className="mb-6 wrap-anywhere text-pretty">
        An application calling itself <strong>{name}</strong> is asking for access to <strong>{toLabel(viewer)}</strong>. If you approve, it gets an API key
        with the permissions and limits that you choose here, and you return to <strong>{place(returnsTo)}</strong>. Continue only if you started this in the
        application.{isReplacement ? ' Its current key stops working as soon as it receives the new one.' : ''}
      </p>
      {viewer.isConfirmed ? (
        <ConnectForm
          name={name}
          scopes={Object.entries(allScopes).map(([scope, opens]) => ({ name: scope, opens }))}
          chosen={scopes}
          firstMode={viewer.state === 'review' ? 'test' : 'live'}
          request={parameters ?? AuthorizationParameters.parse({})}
        />
      ) : (
        <Notice tone="caution">Confirm your email first, then start again in {name}.</Notice>
      )}
      <p className="mt-4">
        <ButtonLink kind="second" href={denyUrl}>
          Deny
        </ButtonLink>
      </p>
    </div>
  )
}
