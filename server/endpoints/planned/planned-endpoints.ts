import { perRequest } from '../../contract/prices.ts'
import { definePlanned } from '../define.ts'

/** Endpoints of the catalogue whose handlers are still to come. A launched one leaves this list for a file of its own and keeps its number. */
export const plannedEndpoints = [
  definePlanned({
    id: 'assistant',
    no: 39,
    method: 'POST',
    path: '/assistant',
    tool: 'assistant',
    summary: 'Ask the assistant.',
    scope: 'assistant',
    price: perRequest(10),
    live: 'coming-soon',
  }),
]
