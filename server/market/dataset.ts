/** The two markets kept side by side: `live` is read by live keys, `sample` by test keys. */
export const datasets = ['live', 'sample'] as const

export type Dataset = (typeof datasets)[number]
