import { currentSpender } from '../../../server/auth/current-request.ts'
import { isSameOrigin } from '../../../server/auth/same-origin.ts'
import { nextService } from '../../../server/next-service.ts'
import { createConsoleHandler } from '../../../server/transports/console-mount.ts'

export const dynamic = 'force-dynamic'

export const POST = createConsoleHandler(nextService, {
  isOurs: isSameOrigin,
  spender: currentSpender,
})
