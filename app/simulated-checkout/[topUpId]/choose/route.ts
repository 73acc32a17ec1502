import { isLocalRequest } from '#server/api/http/peer.ts'
import { isSameOrigin } from '#server/auth/same-origin.ts'
import { nextService } from '#server/runtime/next-service.ts'

type Context = { params: Promise<{ topUpId: string }> }

const choices = ['pay', 'decline', 'leave'] as const

const plainText = (status: number, message: string): Response => new Response(message, { status, headers: { 'Cache-Control': 'no-store' } })

/** Applies the choice made on the simulated checkout page and redirects the browser. Only accepts local requests from our own page. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { simulatedCheckout, publicUrl } = await nextService()
  const { topUpId } = await params
  if (!isLocalRequest(request.headers) || (await simulatedCheckout.read(topUpId)) === null) return plainText(404, 'Checkout not found.')
  if (!isSameOrigin(request.headers, publicUrl)) return plainText(403, 'This form can only be submitted from its own page.')
  const form = await request.formData()
  const choice = choices.find((known) => known === form.get('choice'))
  if (choice === undefined) return plainText(400, 'The choice is missing or unknown. Go back to the checkout page and select one of its buttons.')
  const url = await simulatedCheckout.choose(topUpId, choice)
  return url === null ? plainText(404, 'Checkout not found.') : new Response(null, { status: 303, headers: { Location: url } })
}
