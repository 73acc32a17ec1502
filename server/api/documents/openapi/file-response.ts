import type { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { csvColumns, csvHeader, csvRow } from '#server/api/contract/csv.ts'
import { listFormats } from '#server/api/contract/list-formats.ts'
import { ndjsonRow } from '#server/api/contract/ndjson.ts'
import type { ExampleCall } from './examples.ts'
import { headersWith } from './headers.ts'
import { type Entry, recordName } from './names.ts'

/** Returns the media type without its parameters. */
const mediaType = ({ contentType }: { readonly contentType: string }): string => contentType.split(';')[0] ?? contentType

/** Headers that only files have. */
const own = ['X-SVC-Snapshot-Day', 'X-SVC-Rows', 'X-SVC-Updated-Until', 'X-SVC-Generated-At', 'X-SVC-Attribution', 'Content-Disposition'] as const

const getExample = (value: string) => ({ examples: { sample: { summary: 'First lines of the response to a test key.', value } } })

/** Returns the success response of an endpoint that returns a file. Its schema is a string, because OpenAPI can't describe the lines of a file. */
export function fileResponse(entry: Entry, example: ExampleCall | null): ZodOpenApiResponseObject {
  const rows = (example?.body.data ?? []) as readonly object[]
  const columns = csvColumns(entry.output as z.ZodObject, Object.keys(rows[0] ?? {}))
  const record = recordName(entry)
  const text = (description: string) => ({ type: 'string', description }) as const
  return {
    description: `File with one ${record} per line. The fields of \`meta\` are headers.`,
    headers: headersWith('ETag', 'X-SVC-Cache', 'X-SVC-Idempotent-Replay', ...own),
    content: {
      [mediaType(listFormats.ndjson)]: {
        schema: text(`One ${record} as JSON per line.`),
        ...(example ? getExample(rows.map(ndjsonRow).join('')) : {}),
      },
      [mediaType(listFormats.csv)]: {
        schema: text(`A line with the names of the fields, then one ${record} per line (RFC 4180).`),
        ...(example ? getExample(csvHeader(columns) + rows.map((row) => csvRow(columns, row)).join('')) : {}),
      },
    },
  }
}
