const getName = (column: string) => column.slice(column.indexOf('.') + 1)

/** Formats a time as ISO 8601 UTC in PostgreSQL: converting tens of thousands of values to Date objects and back is slower than the query. */
export const isoTime = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${getName(column)}`

/** Formats a date as ISO 8601. */
export const isoDay = (column: string): string => `to_char(${column}, 'YYYY-MM-DD') AS ${getName(column)}`

/** Converts a `bigint` from PostgreSQL. Amounts stay far below 2^53 pence. */
export const penceFromDb = (text: string | null): number | null => (text === null ? null : Number(text))
