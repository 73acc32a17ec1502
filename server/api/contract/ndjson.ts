/** Formats a row of newline-delimited JSON, including the line ending. */
export const ndjsonRow = (row: object): string => `${JSON.stringify(row)}\n`
