import type { Requirement } from './requirement.ts'

/** GET /snapshots and the daily files of the whole market. */
export const snapshots = {
  'snapshots/list': {
    source: 'SPEC Versioning',
    behaviour: '/snapshots lists the files of each day for free, newest first, with their rows, sizes, ETags, price, time and URL.',
  },
  'snapshots/rows': {
    source: 'SPEC Versioning',
    behaviour: 'A file has every row of its list on that day, with the same fields as in the list except those that depend on the plan.',
  },
  'snapshots/formats': {
    source: 'SPEC Versioning',
    behaviour: 'A file is NDJSON, or CSV if Accept prefers it. The fields of meta are headers. Errors are JSON.',
  },
  'snapshots/compression': {
    source: 'SPEC Versioning',
    behaviour: 'A file is compressed with gzip or Brotli if the caller accepts it, and has the same content and ETag with every encoding.',
  },
  'snapshots/price': {
    source: 'SPEC Limits',
    behaviour: 'A file has the same fixed price on every plan. The download is rejected if the price exceeds the balance, a spend cap or X-SVC-Max-Credits.',
  },
  'snapshots/cheaper-than-lists': {
    source: 'SPEC Limits',
    behaviour: 'All files of a day together cost less than reading the products of every provider, and less than the lists.',
  },
  'snapshots/unchanged': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'If-None-Match with the ETag of a file returns 304 without a charge, all day.',
  },
  'snapshots/replay': {
    source: 'SPEC Limits',
    behaviour: 'Within ten minutes, an Idempotency-Key returns the file that was paid for without a charge, even if a newer one has been stored.',
  },
  'snapshots/days': {
    source: 'SPEC Errors',
    behaviour: 'day selects the file of a day, by default the newest. A day without a file returns 404, and a malformed one 400.',
  },
  'snapshots/mirror': {
    source: 'SPEC Versioning',
    behaviour:
      'A copy that begins with a file and continues with updatedSince equals the lists, and costs at most 30 credits a day if 1% of the market changes.',
  },
  'snapshots/no-tool': {
    source: 'SPEC Endpoints: Tool server',
    behaviour: 'Neither the list of files nor the files, which are too large for a tool result, are exposed as tools.',
  },
} as const satisfies Record<string, Requirement>
