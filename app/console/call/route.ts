import { createConsoleHandler } from '#server/api/http/route-mounts.ts'
import { currentSpender } from '#server/auth/auth.ts'
import { isSameOrigin } from '#server/auth/same-origin.ts'
import { nextService } from '#server/runtime/next-service.ts'

export const dynamic = 'force-dynamic'

export const POST = createConsoleHandler(nextService, {
  isOurs: isSameOrigin,
  spender: currentSpender,
})
