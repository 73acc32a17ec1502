import { nextService } from '../../../server/next-service.ts'
import { createConsoleHandler } from '../../../server/transports/console-mount.ts'

export const dynamic = 'force-dynamic'

export const POST = createConsoleHandler(nextService)
