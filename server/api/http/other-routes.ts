import type { IncomingMessage } from 'node:http'
import type { DirectAnswer } from '#server/api/pipeline/call.ts'
import type { Service } from '#server/runtime/service.ts'
import { documentAt } from './documents.ts'
import { legacyTarget } from './legacy.ts'
import { securityTextAt } from './security-text.ts'
import { answerStripe, isStripePath } from './stripe-webhook.ts'

type OtherRoutes = Pick<Service, 'legacy' | 'documents' | 'stripe' | 'securityText'>

/** Answers API requests other than v1 and MCP on the plain listener: the older partner API, the published documents, the Stripe webhook and security.txt. */
export function answerOtherRoutes({ legacy, documents, stripe, ...facts }: OtherRoutes) {
  const toStripe = answerStripe(stripe)
  return (url: string, request: IncomingMessage, address: string | null): (() => Promise<DirectAnswer>) | null => {
    const { method = 'GET', headers } = request
    if (isStripePath(url)) return () => toStripe(request)
    const target = legacyTarget(url)
    if (target !== null) return () => legacy.answer(method, target, headers, address)
    const name = documentAt(url)
    return name === null ? securityTextAt(url, facts, method) : () => documents.answer(name, method, headers['if-none-match'] ?? null)
  }
}
