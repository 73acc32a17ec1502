import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import inject from 'light-my-request'
import { contentPolicy, newNonce, type PageSettings } from '../content-policy.ts'
import type { PageRequest } from './public-pages.ts'

/** Rendered page. The nonce marks the scripts that Next wrote, as opposed to any that came with the content. */
export type RenderedPage = { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: Buffer; readonly nonce: string }

/** Passes a request to Next. */
export type Dispatch = (request: IncomingMessage, response: ServerResponse) => void

const renderTimeoutMs = 30_000

/**
 * Renders a page with a separate request, which contains nothing from the reader's request except what is part of the key. So the page can't depend on a
 * session.
 */
export async function renderPage(dispatch: Dispatch, { url, theme, scheme, host }: PageRequest, settings: PageSettings): Promise<RenderedPage> {
  const nonce = newNonce()
  const headers = {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': scheme,
    accept: '*/*',
    // Without a user agent, Next would stream the title after the head.
    'user-agent': 'page-cache',
    'content-security-policy': contentPolicy(nonce, settings),
    ...(theme === 'system' ? {} : { cookie: `theme=${theme}` }),
  }
  const answer = await inject(dispatch, { method: 'GET', url, headers, signal: AbortSignal.timeout(renderTimeoutMs) })
  return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload, nonce }
}
