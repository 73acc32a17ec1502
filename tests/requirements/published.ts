import type { Requirement } from './requirement.ts'

/** Published documents, docs pages, licence and changelog. */
export const published = {
  'published/openapi': {
    source: 'SPEC What the service does',
    behaviour: 'An OpenAPI 3.1 document is served at /api/developer/openapi.json.',
  },
  'published/postman': {
    source: 'SPEC What the service does',
    behaviour: 'A Postman collection is served at /api/developer/postman.json.',
  },
  'published/changelog': { source: 'SPEC What the service does', behaviour: 'A changelog is published.' },
  'published/licence-version': {
    source: 'SPEC What the service does',
    behaviour: 'The Data Licence v2026-09 is published and covers attribution and redistribution.',
  },
  'published/pages-current': {
    source: 'SPEC What the service does',
    behaviour: 'Public pages show changes to the market, the prices, the changelog and the Data Licence within 60 seconds, in every process.',
  },
  'published/page-per-error': {
    source: 'SPEC Errors',
    behaviour: 'The docs link of every error opens a page about its code.',
  },
  'published/default-page-size-in-openapi': {
    source: 'DECISIONS 3',
    behaviour: 'The OpenAPI document states the default page size.',
  },
} as const satisfies Record<string, Requirement>
