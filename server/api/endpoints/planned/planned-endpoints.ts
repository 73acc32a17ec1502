import { definePlanned } from '../define.ts'

/** Endpoints that haven't launched and have no handlers yet. At launch, an endpoint moves to its own file and keeps its number. */
export const plannedEndpoints = [
  definePlanned({
    id: 'assistant',
    no: 39,
    method: 'POST',
    path: '/assistant',
    tool: 'assistant',
    summary: 'Ask the assistant.',
    scope: 'assistant',
    price: { credits: 10, per: 'request' },
    live: 'coming-soon',
  }),
]
