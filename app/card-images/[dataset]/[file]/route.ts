import { svgRoute } from '#server/pages/file-responses.ts'

export const dynamic = 'force-dynamic'

/** Serves the card images at the URLs in the API's image fields. */
export const GET = svgRoute((service, dataset, sourceKey) => service.cardImage(dataset, sourceKey), 'Card not found.')
