import { nextService } from '../../../../server/next-service.ts'

type Context = { params: Promise<{ topUpId: string }> }

const choices = ['pay', 'decline', 'leave'] as const

/** Takes the choice that was made on the simulated page, and sends the browser where it leads. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const form = await request.formData()
  const choice = choices.find((known) => known === form.get('choice'))
  if (choice === undefined) return new Response('Choose to pay, to decline or to leave.', { status: 400 })
  const { topUpId } = await params
  const url = await (await nextService()).simulatedCheckout.choose(topUpId, choice)
  return url === null ? new Response('There is no such checkout.', { status: 404 }) : new Response(null, { status: 303, headers: { Location: url } })
}
