import { nextService } from '../../../../server/next-service.ts'
import { createStripeHandler } from '../../../../server/transports/stripe-webhook.ts'

export const dynamic = 'force-dynamic'

const handle = createStripeHandler(nextService)

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
