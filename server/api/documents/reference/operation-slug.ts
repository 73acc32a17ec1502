/** `rates.list` as the end of an address: `rates-list`. */
export const operationSlug = ({ id }: { readonly id: string }): string => id.replaceAll('.', '-')

/** Where the page of an endpoint is. */
export const operationPath = (entry: { readonly id: string }): string => `/reference/${operationSlug(entry)}`
