/** Converts an endpoint id to a URL slug: `rates.list` becomes `rates-list`. */
export const operationSlug = ({ id }: { readonly id: string }): string => id.replaceAll('.', '-')

/** Returns the path of an endpoint's page. */
export const operationPath = (entry: { readonly id: string }): string => `/reference/${operationSlug(entry)}`
