import { confirmStatusEmails } from '#server/pages/status-emails.ts'

type Context = { params: Promise<{ id: string }> }

export const POST = async (request: Request, { params }: Context): Promise<Response> => confirmStatusEmails(request, (await params).id)
