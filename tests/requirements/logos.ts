import type { Requirement } from './requirement.ts'

/** Logo fields in all responses. */
export const logos = {
  'logos/absolute-https': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'A non-null logo field is an absolute public HTTPS URL.',
  },
  'logos/null-without-logo': { source: 'SPEC Resources: Logo fields', behaviour: 'A logo field is null if the provider has no logo.' },
  'logos/on-rates': { source: 'SPEC Resources: Logo fields', behaviour: 'providerLogoUrl appears on the items of /rates.' },
  'logos/on-single-rate': { source: 'SPEC Resources: Logo fields', behaviour: 'providerLogoUrl appears on /rates/{sourceKey}.' },
  'logos/sample-on-test-keys': { source: 'SPEC Resources: Logo fields', behaviour: 'Responses to a test key contain the logos of the sample providers.' },
  'logos/on-history': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'providerLogoUrl appears on the rows of /history.',
  },
  'logos/on-rate-trends': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'providerLogoUrl appears on each series of /rate-trends.',
  },
  'logos/on-nested-products': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'providerLogoUrl appears on the products inside /providers/{slug}.',
  },
  'logos/on-providers': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'logoUrl appears on the items of /providers.',
  },
  'logos/on-single-provider': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'logoUrl appears on /providers/{slug}.',
  },
  'logos/on-switch-offers': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'logoUrl appears on the items of /switch-offers.',
  },
  'logos/on-account-offers': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'logoUrl appears on the items of /account-offers.',
  },
  'logos/on-reward-cards': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'logoUrl appears on the items of /cards/rewards.',
  },
  'logos/on-travel-cards': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'logoUrl appears on the items of /cards/travel.',
  },
  'logos/on-market-overview': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'logoUrl appears on the providers in /market/overview.',
  },
  'logos/on-service-quality': {
    source: 'SPEC Resources: Logo fields',
    behaviour: 'logoUrl appears on the provider inside /providers/{slug}/service-quality.',
  },
} as const satisfies Record<string, Requirement>
