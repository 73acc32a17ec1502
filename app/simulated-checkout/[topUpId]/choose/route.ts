import { isLocalRequest } from '#server/api/http/peer.ts'
import { isSameOrigin } from '#server/auth/same-origin.ts'
import { nextService } from '#server/runtime/next-service.ts'

type Context = { params: Promise<{ topUpId: string }> }

const choices = ['pay', 'decline', 'leave'] as const

const refusal = (status: number, message: string): Response => new Response(message, { status, headers: { 'Cache-Control': 'no-store' } })

/** Applies the choice made on the simulated checkout page and redirects the browser. Only our own page, opened on this machine, may ask. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { simulatedCheckout, publicUrl } = await nextService()
  const { topUpId } = await params
  if (!isLocalRequest(request.headers) || (await simulatedCheckout.read(topUpId)) === null) return refusal(404, 'There is no such checkout.')
  if (!isSameOrigin(request.headers, publicUrl)) return refusal(403, 'This form can be sent from its own page only.')
  const form = await request.formData()
  const choice = choices.find((known) => known === form.get('choice'))
  if (choice === undefined) return refusal(400, 'Choose to pay, to decline or to leave.')
  const url = await simulatedCheckout.choose(topUpId, choice)
  return url === null ? refusal(404, 'There is no such checkout.') : new Response(null, { status: 303, headers: { Location: url } })
}
