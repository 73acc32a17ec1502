import { drawingRoute } from '#server/pages/svg-route.ts'

export const dynamic = 'force-dynamic'

/** The drawn picture of a card, at the address that image fields give. */
export const GET = drawingRoute((service, dataset, sourceKey) => service.cardImage(dataset, sourceKey), 'There is no such card.')
