import type { Requirement } from './requirement.ts'

/** Formats of dates, money and rates, and of whole responses. */
export const formats = {
  'formats/dates-iso-8601-utc': { source: 'SPEC Resources: Response envelope', behaviour: 'Dates are ISO 8601 in UTC.' },
  'formats/rates-two-decimal-strings': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'Rates are percentage strings with two decimals.',
  },
  'formats/money-two-decimal-strings': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'Amounts are GBP strings with two decimals.',
  },
  'formats/csv': {
    source: 'SPEC Versioning',
    behaviour: 'Accept: text/csv on a list returns its rows as CSV (RFC 4180) with a header line, in columns that depend only on the endpoint and on fields.',
  },
  'formats/csv-cells': {
    source: 'SPEC Versioning',
    behaviour:
      'CSV flattens nested objects into columns, joins lists with a separator, leaves unknown values empty, and never writes a cell that a spreadsheet would read as a formula.',
  },
  'formats/ndjson': {
    source: 'SPEC Versioning',
    behaviour: 'Accept: application/x-ndjson on a list returns one row per line, with the same fields as in JSON.',
  },
  'formats/json-by-default': {
    source: 'SPEC What the service does',
    behaviour: 'With any other Accept header or none, and on endpoints that are not lists, responses are the JSON envelope. Errors are always JSON.',
  },
  'formats/same-charge': {
    source: 'SPEC Versioning',
    behaviour: 'A list costs the same in every format, and is cut to what the balance covers in the same way.',
  },
  'formats/meta-in-headers': {
    source: 'SPEC Versioning',
    behaviour: 'CSV and NDJSON responses carry the fields of meta as headers, including the cursor of the next page and the attribution.',
  },
  'formats/compressed': {
    source: 'SPEC Versioning',
    behaviour:
      'Successful API and tool responses and published documents of 1 kB or more are compressed with Brotli, Zstandard or gzip if Accept-Encoding allows it, and otherwise sent uncompressed.',
  },
  'formats/compressed-same': {
    source: 'SPEC Versioning',
    behaviour: 'A compressed response has the data, the charge and the weak ETag of the uncompressed one, and its ETag gets a 304 with any Accept-Encoding.',
  },
  'formats/separate-representations': {
    source: 'SPEC Versioning',
    behaviour: 'Every format has its own ETag, and Vary names Accept. An Idempotency-Key belongs to one format.',
  },
} as const satisfies Record<string, Requirement>
