import { createAlert } from './account/create-alert.endpoint.ts'
import { createWebhook } from './account/create-webhook.endpoint.ts'
import { deleteAlert } from './account/delete-alert.endpoint.ts'
import { deleteWebhook } from './account/delete-webhook.endpoint.ts'
import { getAlert } from './account/get-alert.endpoint.ts'
import { getWebhook } from './account/get-webhook.endpoint.ts'
import { getWebhookDelivery } from './account/get-webhook-delivery.endpoint.ts'
import { listAlerts } from './account/list-alerts.endpoint.ts'
import { listUsage } from './account/list-usage.endpoint.ts'
import { listWebhookDeliveries } from './account/list-webhook-deliveries.endpoint.ts'
import { listWebhookEvents } from './account/list-webhook-events.endpoint.ts'
import { listWebhookSamples } from './account/list-webhook-samples.endpoint.ts'
import { listWebhooks } from './account/list-webhooks.endpoint.ts'
import { pauseWebhook } from './account/pause-webhook.endpoint.ts'
import { redeliverWebhook } from './account/redeliver-webhook.endpoint.ts'
import { resumeWebhook } from './account/resume-webhook.endpoint.ts'
import { rotateWebhookSecret } from './account/rotate-webhook-secret.endpoint.ts'
import { testWebhook } from './account/test-webhook.endpoint.ts'
import { updateAlert } from './account/update-alert.endpoint.ts'
import { updateWebhook } from './account/update-webhook.endpoint.ts'
import { getCardAsset } from './assets/get-card-asset.endpoint.ts'
import { getProviderAsset } from './assets/get-provider-asset.endpoint.ts'
import { calculateIsaAllowance } from './calculators/calculate-isa-allowance.endpoint.ts'
import { calculateRegularSaver } from './calculators/calculate-regular-saver.endpoint.ts'
import { calculateSavingsGrowth } from './calculators/calculate-savings-growth.endpoint.ts'
import { calculateSavingsTax } from './calculators/calculate-savings-tax.endpoint.ts'
import { simulateBalance } from './calculators/simulate.endpoint.ts'
import { listRewardCards } from './cards/list-reward-cards.endpoint.ts'
import { listTravelCards } from './cards/list-travel-cards.endpoint.ts'
import { listFxHistory } from './fx/list-fx-history.endpoint.ts'
import { listFxRates } from './fx/list-fx-rates.endpoint.ts'
import { listHistory } from './history/list-history.endpoint.ts'
import { listRateComponents } from './history/list-rate-components.endpoint.ts'
import { listRateTrends } from './history/list-rate-trends.endpoint.ts'
import { getBoeRate } from './market-statistics/get-boe-rate.endpoint.ts'
import { getEcbRate } from './market-statistics/get-ecb-rate.endpoint.ts'
import { getHeroStats } from './market-statistics/get-hero-stats.endpoint.ts'
import { getInflation } from './market-statistics/get-inflation.endpoint.ts'
import { getMarketOverview } from './market-statistics/get-market-overview.endpoint.ts'
import { listCardStats } from './market-statistics/list-card-stats.endpoint.ts'
import { listCategoryStats } from './market-statistics/list-category-stats.endpoint.ts'
import { listMarketAverages } from './market-statistics/list-market-averages.endpoint.ts'
import { listAccountOffers } from './offers/list-account-offers.endpoint.ts'
import { listSwitchOffers } from './offers/list-switch-offers.endpoint.ts'
import { plannedEndpoints } from './planned/planned-endpoints.ts'
import { getProvider } from './providers/get-provider.endpoint.ts'
import { getServiceQuality } from './providers/get-service-quality.endpoint.ts'
import { listProviders } from './providers/list-providers.endpoint.ts'
import { getRate } from './rates/get-rate.endpoint.ts'
import { getRateLink } from './rates/get-rate-link.endpoint.ts'
import { listRates } from './rates/list-rates.endpoint.ts'
import { listReferenceAccountTypes } from './reference/list-reference-account-types.endpoint.ts'
import { listReferenceCards } from './reference/list-reference-cards.endpoint.ts'
import { listReferenceCurrencies } from './reference/list-reference-currencies.endpoint.ts'
import { listReferenceFscs } from './reference/list-reference-fscs.endpoint.ts'
import { listReferenceProducts } from './reference/list-reference-products.endpoint.ts'
import { listReferenceProviders } from './reference/list-reference-providers.endpoint.ts'
import { me } from './service/me.endpoint.ts'
import { ping } from './service/ping.endpoint.ts'
import { getProvidersSnapshot } from './snapshots/get-providers-snapshot.endpoint.ts'
import { getRatesSnapshot } from './snapshots/get-rates-snapshot.endpoint.ts'
import { getSwitchOffersSnapshot } from './snapshots/get-switch-offers-snapshot.endpoint.ts'
import { listSnapshots } from './snapshots/list-snapshots.endpoint.ts'

/** Data endpoints of v1 that are also MCP tools. */
export const registry = [
  ping,
  me,
  listReferenceProviders,
  listReferenceProducts,
  listReferenceCards,
  listReferenceCurrencies,
  listReferenceAccountTypes,
  listReferenceFscs,
  listRates,
  getRate,
  getRateLink,
  listHistory,
  listRateComponents,
  listRateTrends,
  listProviders,
  getProvider,
  getServiceQuality,
  listSwitchOffers,
  listAccountOffers,
  listRewardCards,
  listTravelCards,
  getProviderAsset,
  getCardAsset,
  simulateBalance,
  calculateSavingsTax,
  calculateIsaAllowance,
  calculateSavingsGrowth,
  calculateRegularSaver,
  listFxRates,
  listFxHistory,
  getMarketOverview,
  listMarketAverages,
  listCategoryStats,
  listCardStats,
  getHeroStats,
  getBoeRate,
  getEcbRate,
  getInflation,
  ...plannedEndpoints,
]

/** Files with the whole market of a day. They are not tools, because they are too large for a tool result. */
export const snapshotEndpoints = [listSnapshots, getRatesSnapshot, getProvidersSnapshot, getSwitchOffersSnapshot]

/** Data endpoints of v1. The price table and the plans' endpoint counts are derived from this list. */
export const dataEndpoints = [...registry, ...snapshotEndpoints]

/** Endpoints about the caller's account. They are free, are not tools, and are not counted as part of a plan. */
export const accountEndpoints = [
  listUsage,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  pauseWebhook,
  resumeWebhook,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhook,
  listWebhookEvents,
  listWebhookSamples,
  listAlerts,
  createAlert,
  getAlert,
  updateAlert,
  deleteAlert,
]

/** All v1 endpoints. Everything else that is published about the API is derived from this list. */
export const allEndpoints = [...dataEndpoints, ...accountEndpoints]
