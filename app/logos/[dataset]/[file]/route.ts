import { drawingRoute } from '#server/pages/svg-route.ts'

export const dynamic = 'force-dynamic'

/** The monogram of a provider, at the address that logo fields give. */
export const GET = drawingRoute((service, dataset, slug) => service.logo(dataset, slug), 'There is no such logo.')
