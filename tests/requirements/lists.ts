import type { Requirement } from './requirement.ts'

/** Rules common to all lists. */
export const lists = {
  'lists/limit-sets-page-size': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'limit sets the page size: a page has at most that many rows.',
  },
  'lists/limit-clamped-at-50': { source: 'SPEC Endpoints: Common list rules', behaviour: 'A limit above 50 is clamped to 50.' },
  'lists/limit-clamped-shown': { source: 'SPEC Endpoints: Common list rules', behaviour: 'meta.limit shows the clamped value.' },
  'lists/cursor-continues': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'A request with meta.nextCursor as cursor returns the next page.',
  },
  'lists/cursor-null-ends': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'Following nextCursor until it is null yields every row exactly once.',
  },
  'lists/cursor-mangled-400': { source: 'SPEC Endpoints: Common list rules', behaviour: 'A malformed cursor returns 400 invalid_request.' },
  'lists/cursor-other-query-400': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'A cursor reused with a different query returns 400 invalid_request.',
  },
  'lists/fields-trim': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'fields, a comma-separated list, limits each item to the named fields.',
  },
  'lists/conditional-304': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'A request with the ETag of an unchanged response in If-None-Match returns 304.',
  },
  'lists/conditional-304-no-body': { source: 'SPEC Endpoints: Common list rules', behaviour: 'A 304 has no body.' },
  'lists/conditional-changed-200': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'A request with an outdated ETag returns 200 with the data.',
  },
  'lists/cursors-hold-while-imports-happen': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'Paging across different processes during imports neither skips nor repeats a row that exists throughout.',
  },
  'lists/next-link': {
    source: 'SPEC Versioning',
    behaviour: 'Every page except the last has a Link header with rel="next": the absolute URL of the next page, with the same parameters.',
  },
  'lists/on-every-list': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: 'Every list endpoint other than /rates follows the common list rules.',
  },
} as const satisfies Record<string, Requirement>
