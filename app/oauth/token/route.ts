import { currentAsker, currentAuthContext } from '#server/auth/current-request.ts'
import { answerPreflight, answerToken, maxBodyBytes } from '#server/self-service/oauth/oauth-http.ts'
import { readBounded } from '#server/trpc/bounded-input.ts'

export async function POST({ headers, body }: Request): Promise<Response> {
  const received = { contentType: headers.get('content-type'), body: await readBounded(body, maxBodyBytes) }
  return answerToken(await currentAuthContext(), await currentAsker(), received)
}

export const OPTIONS = answerPreflight
