import type { Provider } from '#server/market/provider.ts'

/** Returns a provider with the given fields, and defaults for the rest. */
export function makeProvider(facts: Partial<Provider> & Pick<Provider, 'name' | 'slug'>): Provider {
  return {
    legalName: `${facts.name} plc (fictional)`,
    frn: null,
    providerType: 'bank',
    website: 'https://bank.example/',
    founded: null,
    headquarters: null,
    ownerName: null,
    ownerCountry: null,
    protectionScheme: 'FSCS (test provider)',
    protectionLimitPence: 12_000_000,
    licenceGroup: facts.slug,
    cassParticipant: false,
    colour: null,
    logoPath: null,
    updatedAt: '2026-11-21T06:00:00.000Z',
    ...facts,
  }
}
