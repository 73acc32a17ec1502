import { createConsoleHandler } from '#server/api/http/route-mounts.ts'
import { currentSpender, isSameOrigin } from '#server/auth/current-request.ts'
import { nextService } from '#server/runtime/next-service.ts'

export const dynamic = 'force-dynamic'

export const POST = createConsoleHandler(nextService, {
  isOurs: isSameOrigin,
  spender: currentSpender,
})
