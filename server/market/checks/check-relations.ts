import { pounds } from '../decimal.ts'
import type { FeedKind } from '../import/feed-kind.ts'
import type { ParsedRecord } from '../import/feed-schema.ts'

/** Provider that other records are compared with. The limit is in pence; null if there is none. */
export type KnownProvider = Pick<ParsedRecord<'provider'>, 'name' | 'protectionScheme' | 'protectionLimit' | 'licenceGroup' | 'cassParticipant' | 'active'>

/** Result of a check: [is contradictory, problem]. */
type Check = readonly [contradicts: boolean, problem: string]

const names = /\bFSCS\b|Financial Services Compensation Scheme/

/** True if the scheme of a provider is the FSCS. Other schemes can mention it, such as "Safeguarding (not FSCS)". */
const isFscs = ({ protectionScheme }: KnownProvider) => protectionScheme.search(names) === 0

/** True if a protection statement claims FSCS protection. */
const claimsFscs = (text: string) => names.test(text) && !/\bnot\b[^.]*(?:FSCS|Compensation Scheme)/i.test(text)

/** Compares the protection that a product states with the scheme of its provider. Cover for investments depends on the firm that holds them. */
function productChecks({ accountType, fscsDetails }: ParsedRecord<'product'>, known: KnownProvider): Check[] {
  const { name, protectionScheme, active } = known
  const isDeposit = accountType !== 'stocks-shares-isa'
  // Platforms and e-money firms can pass deposits on to a bank that the FSCS protects.
  const isPassedOn = /partner|holding|bank that holds/i.test(fscsDetails)
  return [
    [!active, `is a product of ${name}, which is not active, so the API does not return it`],
    [isDeposit && claimsFscs(fscsDetails) && !isPassedOn && !isFscs(known), `states FSCS protection, but the scheme of ${name} is "${protectionScheme}"`],
    [isDeposit && !claimsFscs(fscsDetails) && isFscs(known), `does not state FSCS protection, but the scheme of ${name} is "${protectionScheme}"`],
  ]
}

const nameChecks = (stated: string, { name }: KnownProvider): Check[] => [[stated !== name, `names the provider "${stated}", but its name is "${name}"`]]

function switchOfferChecks({ provider, cassParticipant }: ParsedRecord<'switch_offer'>, known: KnownProvider): Check[] {
  const [says, is] = cassParticipant
    ? ['is for the Current Account Switch Service', 'does not take part']
    : ['is outside the Current Account Switch Service', 'takes part']
  return [...nameChecks(provider, known), [cassParticipant !== known.cassParticipant, `${says}, but ${known.name} ${is} in it`]]
}

const stated = ({ protectionScheme, protectionLimit }: KnownProvider) =>
  `${protectionScheme}, ${protectionLimit === null ? 'no limit' : pounds(protectionLimit)}`

/** Compares the records of feeds with each other: products and offers with their providers, and providers that share a licence. */
export class RelationChecks {
  readonly #providers: Map<string, KnownProvider>
  /** First provider of each licence group in the current feed. */
  readonly #groups = new Map<string, KnownProvider>()

  /** `providers` are the providers that have been imported, by slug. Records of providers that are checked replace them. */
  constructor(providers: ReadonlyMap<string, KnownProvider>) {
    this.#providers = new Map(providers)
  }

  #providerChecks(provider: ParsedRecord<'provider'>): Check[] {
    this.#providers.set(provider.slug, provider)
    const first = this.#groups.get(provider.licenceGroup) ?? provider
    this.#groups.set(provider.licenceGroup, first)
    return [
      [
        stated(first) !== stated(provider),
        `shares the licence ${provider.licenceGroup} with ${first.name}, but has ${stated(provider)} instead of ${stated(first)}`,
      ],
    ]
  }

  #getChecks(kind: FeedKind, values: unknown): Check[] {
    if (kind === 'provider') return this.#providerChecks(values as ParsedRecord<'provider'>)
    const { providerSlug } = values as { providerSlug: string | null }
    // The import rejects unknown providers.
    const provider = providerSlug === null ? undefined : this.#providers.get(providerSlug)
    if (provider === undefined) return []
    switch (kind) {
      case 'product':
        return productChecks(values as ParsedRecord<'product'>, provider)
      case 'switch_offer':
        return switchOfferChecks(values as ParsedRecord<'switch_offer'>, provider)
      case 'account_offer':
      case 'card':
        return nameChecks((values as ParsedRecord<'account_offer' | 'card'>).provider, provider)
      default:
        return []
    }
  }

  /** Returns the contradictions between a valid feed record and the records before it, one phrase each. They don't make a feed invalid. */
  check(kind: FeedKind, values: unknown): string[] {
    return this.#getChecks(kind, values).flatMap(([contradicts, problem]) => (contradicts ? [problem] : []))
  }
}
