import { penceFromDb } from './decimal.ts'
import { logoPath } from './images.ts'
import type { Product } from './product.ts'
import type { Provider, ServiceSurvey } from './provider.ts'
import type { ProductRow, ProviderRow, SurveyRow } from './snapshot.store.ts'

function trustFromDb({ trust_score_tenths: scoreTenths, trust_review_count: reviewCount, trust_source: source, trust_as_of: asOf }: ProviderRow) {
  return scoreTenths === null || source === null || asOf === null ? {} : { trust: { scoreTenths, reviewCount, source, asOf } }
}

export function providerFromDb(row: ProviderRow): Provider {
  return {
    slug: row.slug,
    name: row.name,
    legalName: row.legal_name,
    frn: row.frn,
    providerType: row.provider_type,
    website: row.website,
    founded: row.founded,
    headquarters: row.headquarters,
    ownerName: row.owner_name,
    ownerCountry: row.owner_country,
    protectionScheme: row.protection_scheme,
    protectionLimitPence: penceFromDb(row.protection_limit_pence),
    licenceGroup: row.licence_group,
    cassParticipant: row.cass_participant,
    colour: row.colour,
    logoPath: row.colour === null ? null : logoPath(row.dataset, row.slug),
    ...trustFromDb(row),
    updatedAt: row.updated_at,
  }
}

/** Converts a product row. `intern` deduplicates strings that many rows share. */
export function productFromDb(row: ProductRow, provider: Provider, intern: (text: string) => string = (text) => text): Product {
  return {
    sourceKey: row.source_key,
    provider: provider.name,
    providerSlug: provider.slug,
    providerLogoPath: provider.logoPath,
    accountName: intern(row.account_name),
    accountType: row.account_type,
    rateBp: row.rate_bp,
    baseRateBp: row.base_rate_bp,
    boostRateBp: row.boost_rate_bp,
    boostDuration: row.boost_duration === null ? null : intern(row.boost_duration),
    interestPaid: intern(row.interest_paid),
    interestType: intern(row.interest_type),
    access: intern(row.access),
    minBalancePence: Number(row.min_balance_pence),
    maxBalancePence: penceFromDb(row.max_balance_pence),
    maxMonthlyDepositPence: penceFromDb(row.max_monthly_deposit_pence),
    termMonths: row.term_months,
    noticeDays: row.notice_days,
    fscsDetails: intern(row.fscs_details),
    newCustomersOnly: row.new_customers_only,
    url: row.url,
    urlCheckedAt: intern(row.url_checked_at),
    createdAt: intern(row.created_at),
    updatedAt: intern(row.updated_at),
  }
}

export function surveyFromDb(row: SurveyRow): ServiceSurvey {
  return {
    providerSlug: row.provider_slug,
    region: row.region,
    survey: row.survey,
    publisher: row.publisher,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    publishedAt: row.published_at,
    nextPublication: row.next_publication,
    sampleSize: row.sample_size,
    providersRanked: row.providers_ranked,
    overall: row.overall,
    onlineAndMobile: row.online_and_mobile,
    overdraft: row.overdraft,
    branch: row.branch,
    methodologyUrl: row.methodology_url,
    accountOpeningDays: row.account_opening_days,
    debitCardReplacementDays: row.debit_card_replacement_days,
    majorIncidentsLastYear: row.major_incidents_last_year,
    updatedAt: row.updated_at,
  }
}
