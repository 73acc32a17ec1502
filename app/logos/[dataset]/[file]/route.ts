import { svgRoute } from '#server/pages/file-responses.ts'

export const dynamic = 'force-dynamic'

/** Serves provider monograms at the URLs in the API's logo fields. */
export const GET = svgRoute((service, dataset, slug) => service.logo(dataset, slug), 'Logo not found.')
