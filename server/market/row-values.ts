const nameOf = (column: string) => column.slice(column.indexOf('.') + 1)

/** A time as ISO 8601 UTC. PostgreSQL writes the text itself: parsing tens of thousands of times into Date objects and back is slower than the query. */
export const isoTime = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${nameOf(column)}`

/** A day of the calendar as ISO 8601. */
export const isoDay = (column: string): string => `to_char(${column}, 'YYYY-MM-DD') AS ${nameOf(column)}`

/** A bigint as PostgreSQL hands it over. Amounts stay far below 2^53 pence. */
export const penceFromDb = (text: string | null): number | null => (text === null ? null : Number(text))
