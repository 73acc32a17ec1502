// Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.

import type { Answer, Envelope, IfUnchanged } from '../answer.ts'
import type { CallOptions, Tag } from '../call-options.ts'
import type { Body, FieldOf, Input, OperationId, PageBody, PageInput } from '../shapes.ts'

/** One method for each endpoint of the API. */
export abstract class Operations {
  protected abstract call<B extends Envelope, T extends Tag>(id: OperationId, input: object, options?: CallOptions<T>): Promise<Answer<B> | IfUnchanged<T>>

  /**
   * Check that the API is reachable, and get the mode of the key.
   *
   * Use it to check a key or that the API is reachable.
   *
   * Free. Works with any key.
   *
   * Open to live and test keys.
   */
  servicePing<T extends Tag = undefined>(input: Input<'servicePing'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'servicePing'>> | IfUnchanged<T>> {
    return this.call('servicePing', input, options)
  }

  /**
   * Get the account, its balance, limits and usage, and the endpoints this key can call.
   *
   * Use it to check the balance, the limits and the available endpoints before making paid calls.
   *
   * Free. Works with any key.
   *
   * Open to live and test keys.
   */
  serviceMe<T extends Tag = undefined>(input: Input<'serviceMe'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'serviceMe'>> | IfUnchanged<T>> {
    return this.call('serviceMe', input, options)
  }

  /**
   * List the slugs and names of all active providers.
   *
   * Use it to find the slug of a provider, which other tools accept as `provider` or `slug`.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  referenceProviders<T extends Tag = undefined>(input: Input<'referenceProviders'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceProviders'>> | IfUnchanged<T>> {
    return this.call('referenceProviders', input, options)
  }

  /**
   * List the keys and names of all products.
   *
   * Use it to find the sourceKey of a product by name; much cheaper than listing rates.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  referenceProducts<T extends Tag = undefined>(input: Input<'referenceProducts'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceProducts'>> | IfUnchanged<T>> {
    return this.call('referenceProducts', input, options)
  }

  /**
   * List the keys and names of all cards.
   *
   * Use it to find the sourceKey of a card by name.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  referenceCards<T extends Tag = undefined>(input: Input<'referenceCards'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceCards'>> | IfUnchanged<T>> {
    return this.call('referenceCards', input, options)
  }

  /**
   * List the currencies supported by cards and exchange rates.
   *
   * Use it to find the codes for `currency`.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to live and test keys.
   */
  referenceCurrencies<T extends Tag = undefined>(input: Input<'referenceCurrencies'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceCurrencies'>> | IfUnchanged<T>> {
    return this.call('referenceCurrencies', input, options)
  }

  /**
   * List the account types.
   *
   * Use it to find the values of `type` and their meaning.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys.
   */
  referenceAccountTypes<T extends Tag = undefined>(input: Input<'referenceAccountTypes'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceAccountTypes'>> | IfUnchanged<T>> {
    return this.call('referenceAccountTypes', input, options)
  }

  /**
   * List deposit protection limits and the brands that share them.
   *
   * Use it to check how much is protected, or which brands share one limit, before splitting money between banks.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys.
   */
  referenceFscs<T extends Tag = undefined>(input: Input<'referenceFscs'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceFscs'>> | IfUnchanged<T>> {
    return this.call('referenceFscs', input, options)
  }

  /**
   * List savings products, best rate first.
   *
   * Pages stay consistent while rates change: no product is skipped or repeated. The exception is sorting by updatedAt: a product that changes meanwhile moves to the end and may be returned twice. Charged per row, not per page.
   *
   * Use it to find the best savings accounts by account type, provider, amount, term or name.
   *
   * Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  ratesList<F extends FieldOf<'ratesList'> = FieldOf<'ratesList'>, T extends Tag = undefined>(input: PageInput<'ratesList', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'ratesList', F>> | IfUnchanged<T>> {
    return this.call('ratesList', input, options)
  }

  /**
   * Get a savings product.
   *
   * Use it to get the current terms of a product by its sourceKey.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  ratesGet<T extends Tag = undefined>(input: Input<'ratesGet'>, options?: CallOptions<T>): Promise<Answer<Body<'ratesGet'>> | IfUnchanged<T>> {
    return this.call('ratesGet', input, options)
  }

  /**
   * Get the URL of a product's page on the provider's site.
   *
   * Use it to send someone to the page where they can open the account.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  ratesLink<T extends Tag = undefined>(input: Input<'ratesLink'>, options?: CallOptions<T>): Promise<Answer<Body<'ratesLink'>> | IfUnchanged<T>> {
    return this.call('ratesLink', input, options)
  }

  /**
   * List savings rate changes, newest first.
   *
   * Includes launches and withdrawals of products. The order never changes, so pages neither skip nor repeat a change. Charged per row, not per page.
   *
   * Use it to see when and by how much a product's rate changed.
   *
   * Costs 2 credits per row (20p per row). Test keys are never charged. Needs the scope `history:read`. Live keys need the Enterprise plan; on a lower plan they get `plan_upgrade_required` and are not charged.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  historyList<F extends FieldOf<'historyList'> = FieldOf<'historyList'>, T extends Tag = undefined>(input: PageInput<'historyList', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'historyList', F>> | IfUnchanged<T>> {
    return this.call('historyList', input, options)
  }

  /**
   * List base rates and bonuses by period, newest first.
   *
   * Each row is the period between two changes of a product. `from` and `to` filter by its first day. Charged per row, not per page.
   *
   * Use it to see the base rate and bonus of a product over time.
   *
   * Costs 2 credits per row (20p per row). Test keys are never charged. Needs the scope `history:read`. Live keys need the Enterprise plan; on a lower plan they get `plan_upgrade_required` and are not charged.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  historyComponents<F extends FieldOf<'historyComponents'> = FieldOf<'historyComponents'>, T extends Tag = undefined>(input: PageInput<'historyComponents', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'historyComponents', F>> | IfUnchanged<T>> {
    return this.call('historyComponents', input, options)
  }

  /**
   * Get savings rate trends as time series.
   *
   * Returns the best, average and median rate by account type, for the whole market or one provider; for a product, its own rate. Points are one day apart in windows of up to 92 days, one week apart up to 731 days, and four weeks apart in longer ones. The last point is today.
   *
   * Use it to see how rates have moved over months.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `history:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  rateTrends<F extends FieldOf<'rateTrends'> = FieldOf<'rateTrends'>, T extends Tag = undefined>(input: PageInput<'rateTrends', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'rateTrends', F>> | IfUnchanged<T>> {
    return this.call('rateTrends', input, options)
  }

  /**
   * List providers by name, with product counts and shared licences.
   *
   * Charged per row, not per page.
   *
   * Use it to compare banks and building societies rather than their products.
   *
   * Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  providersList<F extends FieldOf<'providersList'> = FieldOf<'providersList'>, T extends Tag = undefined>(input: PageInput<'providersList', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'providersList', F>> | IfUnchanged<T>> {
    return this.call('providersList', input, options)
  }

  /**
   * Get a provider and its savings products.
   *
   * Use it to get a provider and everything it offers; look up its slug with reference_providers.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  providersGet<T extends Tag = undefined>(input: Input<'providersGet'>, options?: CallOptions<T>): Promise<Answer<Body<'providersGet'>> | IfUnchanged<T>> {
    return this.call('providersGet', input, options)
  }

  /**
   * Get customer ratings of a provider by survey and region.
   *
   * Surveys cover current account providers: `surveys` is empty for others. `cassParticipant` on /providers shows which providers have current accounts.
   *
   * Use it to check how satisfied a bank's customers are before recommending it.
   *
   * Costs 2 credits (20p). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  providersServiceQuality<T extends Tag = undefined>(input: Input<'providersServiceQuality'>, options?: CallOptions<T>): Promise<Answer<Body<'providersServiceQuality'>> | IfUnchanged<T>> {
    return this.call('providersServiceQuality', input, options)
  }

  /**
   * List bonuses for switching current accounts, highest first.
   *
   * Ended offers are omitted. Charged per row, not per page.
   *
   * Use it to find bonuses for switching a current account, and their terms.
   *
   * Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `offers:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  switchOffers<F extends FieldOf<'switchOffers'> = FieldOf<'switchOffers'>, T extends Tag = undefined>(input: PageInput<'switchOffers', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'switchOffers', F>> | IfUnchanged<T>> {
    return this.call('switchOffers', input, options)
  }

  /**
   * List offers for opening a current account.
   *
   * Sorted by offerKey; ended offers are omitted. Charged per page, regardless of size.
   *
   * Use it to find the benefits of opening a current account.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `offers:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  accountOffers<F extends FieldOf<'accountOffers'> = FieldOf<'accountOffers'>, T extends Tag = undefined>(input: PageInput<'accountOffers', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'accountOffers', F>> | IfUnchanged<T>> {
    return this.call('accountOffers', input, options)
  }

  /**
   * List reward cards and their terms.
   *
   * Sorted by sourceKey. Charged per page, regardless of size.
   *
   * Use it to compare cards by cashback, points and fees.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  cardsRewards<F extends FieldOf<'cardsRewards'> = FieldOf<'cardsRewards'>, T extends Tag = undefined>(input: PageInput<'cardsRewards', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'cardsRewards', F>> | IfUnchanged<T>> {
    return this.call('cardsRewards', input, options)
  }

  /**
   * List travel cards and their fees, lowest foreign transaction fee first.
   *
   * With `currency`, only cards that support it are listed. `costPer100` includes fees only, not the card's exchange-rate margin. Charged per page, regardless of size.
   *
   * Use it to compare cards by their fees abroad.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  cardsTravel<F extends FieldOf<'cardsTravel'> = FieldOf<'cardsTravel'>, T extends Tag = undefined>(input: PageInput<'cardsTravel', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'cardsTravel', F>> | IfUnchanged<T>> {
    return this.call('cardsTravel', input, options)
  }

  /**
   * Get the logo of a provider.
   *
   * Returns 404 without a charge if the provider has no logo.
   *
   * Use it to display the logo of a provider; not needed for text answers.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  assetsProvider<T extends Tag = undefined>(input: Input<'assetsProvider'>, options?: CallOptions<T>): Promise<Answer<Body<'assetsProvider'>> | IfUnchanged<T>> {
    return this.call('assetsProvider', input, options)
  }

  /**
   * Get the image of a card.
   *
   * Use it to display the image of a card; not needed for text answers.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  assetsCard<T extends Tag = undefined>(input: Input<'assetsCard'>, options?: CallOptions<T>): Promise<Answer<Body<'assetsCard'>> | IfUnchanged<T>> {
    return this.call('assetsCard', input, options)
  }

  /**
   * Simulate the growth of a balance in a product.
   *
   * Uses the product's actual terms: its AER is converted to a rate per interest payment, an introductory bonus ends after its duration, and a fixed rate ends at maturity. A plain rate compounds annually. Interest is rounded half up to the penny at each credit.
   *
   * Use it to calculate how a balance grows in a product, including its bonus and term.
   *
   * Costs 2 credits (20p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  simulate<T extends Tag = undefined>(input: Input<'simulate'>, options?: CallOptions<T>): Promise<Answer<Body<'simulate'>> | IfUnchanged<T>> {
    return this.call('simulate', input, options)
  }

  /**
   * Calculate the tax on savings interest.
   *
   * Tax on a year of savings interest for a UK taxpayer: personal allowance and taper, starting rate, personal savings allowance and the rates of the tax year.
   *
   * Use it to calculate how much tax someone owes on savings interest.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  calculatorsSavingsTax<T extends Tag = undefined>(input: Input<'calculatorsSavingsTax'>, options?: CallOptions<T>): Promise<Answer<Body<'calculatorsSavingsTax'>> | IfUnchanged<T>> {
    return this.call('calculatorsSavingsTax', input, options)
  }

  /**
   * Calculate the remaining ISA allowance.
   *
   * Give either "used", the total paid into adult ISAs in the tax year, or the amounts by type. If you give neither, the calculation assumes that nothing has been paid in.
   *
   * Use it to check how much can still be paid into ISAs this tax year.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  calculatorsIsaAllowance<T extends Tag = undefined>(input: Input<'calculatorsIsaAllowance'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'calculatorsIsaAllowance'>> | IfUnchanged<T>> {
    return this.call('calculatorsIsaAllowance', input, options)
  }

  /**
   * Calculate the growth of savings at a given rate.
   *
   * An opening amount, with optional monthly deposits, at a rate that compounds annually.
   *
   * Use it to calculate how savings grow at a known or assumed rate.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  calculatorsSavingsGrowth<T extends Tag = undefined>(input: Input<'calculatorsSavingsGrowth'>, options?: CallOptions<T>): Promise<Answer<Body<'calculatorsSavingsGrowth'>> | IfUnchanged<T>> {
    return this.call('calculatorsSavingsGrowth', input, options)
  }

  /**
   * Calculate the interest on a regular saver.
   *
   * The same deposit at the start of every month; interest is calculated on each deposit.
   *
   * Use it to calculate the interest on monthly deposits.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  calculatorsRegularSaver<T extends Tag = undefined>(input: Input<'calculatorsRegularSaver'>, options?: CallOptions<T>): Promise<Answer<Body<'calculatorsRegularSaver'>> | IfUnchanged<T>> {
    return this.call('calculatorsRegularSaver', input, options)
  }

  /**
   * List the latest exchange rate of each currency against the pound.
   *
   * Real data for both live and test keys: indicative mid-market or reference rates, not card rates. Sorted by currency code. Currencies without a published rate are omitted. Charged per page, regardless of size.
   *
   * Use it to convert between pounds and another currency.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs one of these scopes: `cards:read`, `market:read`.
   *
   * Open to live and test keys.
   */
  fxRates<F extends FieldOf<'fxRates'> = FieldOf<'fxRates'>, T extends Tag = undefined>(input: PageInput<'fxRates', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'fxRates', F>> | IfUnchanged<T>> {
    return this.call('fxRates', input, options)
  }

  /**
   * List historical exchange rates of the pound, newest first.
   *
   * Real data for both live and test keys, up to three years back. Without `currency`, all currencies are listed for each day, sorted by code. Days without a published rate are omitted. Bundled rates, used until newer ones are fetched, are monthly or quarterly from March 2024 and weekly from 15 September 2026. Charged per page, regardless of size.
   *
   * Use it to see how the pound has moved against a currency.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
   */
  cardsFxHistory<F extends FieldOf<'cardsFxHistory'> = FieldOf<'cardsFxHistory'>, T extends Tag = undefined>(input: PageInput<'cardsFxHistory', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'cardsFxHistory', F>> | IfUnchanged<T>> {
    return this.call('cardsFxHistory', input, options)
  }

  /**
   * Get an overview of the savings market compared with Bank Rate and inflation.
   *
   * Counts of rate rises and cuts use dates in UK time and match the rows of /history. A rate equal to Bank Rate or CPI does not beat it.
   *
   * Use it to see how good savings rates are now, compared with Bank Rate and inflation.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  marketOverview<T extends Tag = undefined>(input: Input<'marketOverview'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketOverview'>> | IfUnchanged<T>> {
    return this.call('marketOverview', input, options)
  }

  /**
   * List average rates by account type and term, with Bank of England averages for comparison.
   *
   * All products have the same weight, and rates include bonuses. The Bank of England's quoted rates are weighted averages of a smaller market, so ours are usually higher. `limit=50` returns all rows on one page.
   *
   * Use it to see whether a rate is above or below average for its account type.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  marketAverages<F extends FieldOf<'marketAverages'> = FieldOf<'marketAverages'>, T extends Tag = undefined>(input: PageInput<'marketAverages', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'marketAverages', F>> | IfUnchanged<T>> {
    return this.call('marketAverages', input, options)
  }

  /**
   * Get summary statistics by account type.
   *
   * One row per account type, including types without products.
   *
   * Use it to compare account types.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  marketCategoryStats<F extends FieldOf<'marketCategoryStats'> = FieldOf<'marketCategoryStats'>, T extends Tag = undefined>(input: PageInput<'marketCategoryStats', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'marketCategoryStats', F>> | IfUnchanged<T>> {
    return this.call('marketCategoryStats', input, options)
  }

  /**
   * Get summary statistics for reward and travel cards.
   *
   * Two rows: rewards, then travel. Points, miles and vouchers do not count as cashback.
   *
   * Use it to see what cards typically offer and charge.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  marketCardStats<F extends FieldOf<'marketCardStats'> = FieldOf<'marketCardStats'>, T extends Tag = undefined>(input: PageInput<'marketCardStats', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'marketCardStats', F>> | IfUnchanged<T>> {
    return this.call('marketCardStats', input, options)
  }

  /**
   * Get headline market figures.
   *
   * Use it to get headline figures for the whole market in one call.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample data from fictional providers.
   */
  marketHeroStats<T extends Tag = undefined>(input: Input<'marketHeroStats'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketHeroStats'>> | IfUnchanged<T>> {
    return this.call('marketHeroStats', input, options)
  }

  /**
   * Get the Bank of England's Bank Rate and its history.
   *
   * Real data for both live and test keys. `stale` is true if the last confirmed day is more than a week ago.
   *
   * Use it to get the current or a past Bank Rate.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
   */
  marketBoeRate<T extends Tag = undefined>(input: Input<'marketBoeRate'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketBoeRate'>> | IfUnchanged<T>> {
    return this.call('marketBoeRate', input, options)
  }

  /**
   * Get the European Central Bank's three key rates and their history.
   *
   * Real data for both live and test keys. `stale` is true if the last confirmed day is more than a week ago.
   *
   * Use it to get current or past euro area key rates.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
   */
  marketEcbRate<T extends Tag = undefined>(input: Input<'marketEcbRate'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketEcbRate'>> | IfUnchanged<T>> {
    return this.call('marketEcbRate', input, options)
  }

  /**
   * Get UK inflation: CPI, CPIH and RPI, latest and by month.
   *
   * Real data for both live and test keys. `asOf` is the last day of the latest CPI month; source, licence and `stale` refer to CPI.
   *
   * Use it to compare a rate with inflation.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
   */
  marketInflation<T extends Tag = undefined>(input: Input<'marketInflation'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketInflation'>> | IfUnchanged<T>> {
    return this.call('marketInflation', input, options)
  }

  /**
   * List the daily snapshot files of the whole market, newest first.
   *
   * A file is stored each day after the morning import and kept for 30 days.
   *
   * Use it to find the URL, size and price of a file with the whole market; download it with a plain HTTP client.
   *
   * Free. Works with any key.
   *
   * Open to live and test keys. Test keys read sample data from fictional providers.
   */
  snapshotsList<T extends Tag = undefined>(input: Input<'snapshotsList'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'snapshotsList'>> | IfUnchanged<T>> {
    return this.call('snapshotsList', input, options)
  }

  /**
   * List calls and credits by day, key, endpoint and status.
   *
   * Days are in UTC, oldest first. Without the scope `account:manage`, only the usage of the calling key is listed; with it, the usage of every key of the account. The figures match the usage page of the portal and its CSV file. Calls made in the last few seconds may not be included yet.
   *
   * Free. Works with any key.
   *
   * Open to live and test keys.
   */
  usageList<F extends FieldOf<'usageList'> = FieldOf<'usageList'>, T extends Tag = undefined>(input: PageInput<'usageList', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'usageList', F>> | IfUnchanged<T>> {
    return this.call('usageList', input, options)
  }

  /**
   * List your webhook endpoints.
   *
   * Live keys manage live endpoints, and test keys manage test endpoints. An account can have up to 20 endpoints.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksList<T extends Tag = undefined>(input: Input<'webhooksList'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'webhooksList'>> | IfUnchanged<T>> {
    return this.call('webhooksList', input, options)
  }

  /**
   * Create a webhook endpoint.
   *
   * The response contains the signing secret, which is not shown again. The URL must be public: private and reserved addresses are rejected.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksCreate<T extends Tag = undefined>(input: Input<'webhooksCreate'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksCreate'>> | IfUnchanged<T>> {
    return this.call('webhooksCreate', input, options)
  }

  /**
   * Get a webhook endpoint.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksGet<T extends Tag = undefined>(input: Input<'webhooksGet'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksGet'>> | IfUnchanged<T>> {
    return this.call('webhooksGet', input, options)
  }

  /**
   * Change the settings of a webhook endpoint.
   *
   * Only the fields in the body change. The change applies from the next delivery.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksUpdate<T extends Tag = undefined>(input: Input<'webhooksUpdate'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksUpdate'>> | IfUnchanged<T>> {
    return this.call('webhooksUpdate', input, options)
  }

  /**
   * Delete a webhook endpoint.
   *
   * Waiting deliveries are cancelled.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksDelete<T extends Tag = undefined>(input: Input<'webhooksDelete'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksDelete'>> | IfUnchanged<T>> {
    return this.call('webhooksDelete', input, options)
  }

  /**
   * Rotate the signing secret of a webhook endpoint.
   *
   * The response contains the new secret, which is not shown again. For 24 hours, deliveries are signed with both secrets.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksRotateSecret<T extends Tag = undefined>(input: Input<'webhooksRotateSecret'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksRotateSecret'>> | IfUnchanged<T>> {
    return this.call('webhooksRotateSecret', input, options)
  }

  /**
   * Pause a webhook endpoint.
   *
   * Events are queued until you resume the endpoint.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksPause<T extends Tag = undefined>(input: Input<'webhooksPause'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksPause'>> | IfUnchanged<T>> {
    return this.call('webhooksPause', input, options)
  }

  /**
   * Resume a webhook endpoint.
   *
   * Sends the waiting deliveries in order. Also re-enables an endpoint that the service disabled.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksResume<T extends Tag = undefined>(input: Input<'webhooksResume'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksResume'>> | IfUnchanged<T>> {
    return this.call('webhooksResume', input, options)
  }

  /**
   * Send a test event to a webhook endpoint.
   *
   * Test events contain sample data, are signed and retried like other events, and are free. Limited to ten test events a minute per endpoint and 30 per account.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksTest<T extends Tag = undefined>(input: Input<'webhooksTest'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksTest'>> | IfUnchanged<T>> {
    return this.call('webhooksTest', input, options)
  }

  /**
   * List the deliveries of your webhook endpoints, newest first.
   *
   * Finished deliveries are kept for 30 days.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksDeliveries<F extends FieldOf<'webhooksDeliveries'> = FieldOf<'webhooksDeliveries'>, T extends Tag = undefined>(input: PageInput<'webhooksDeliveries', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'webhooksDeliveries', F>> | IfUnchanged<T>> {
    return this.call('webhooksDeliveries', input, options)
  }

  /**
   * Get a delivery with its data and attempts.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksDelivery<T extends Tag = undefined>(input: Input<'webhooksDelivery'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksDelivery'>> | IfUnchanged<T>> {
    return this.call('webhooksDelivery', input, options)
  }

  /**
   * Redeliver a finished delivery.
   *
   * The event and delivery IDs stay the same. An event that was already charged is not charged again. Limited to 10,000 redeliveries an hour per endpoint and 20,000 per account.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksRedeliver<T extends Tag = undefined>(input: Input<'webhooksRedeliver'>, options?: CallOptions<T>): Promise<Answer<Body<'webhooksRedeliver'>> | IfUnchanged<T>> {
    return this.call('webhooksRedeliver', input, options)
  }

  /**
   * List the events that were sent to your webhook endpoints, with their data, newest first.
   *
   * One row for each delivery. Live market events are listed once they have been delivered and charged. Free events (test events, events about the account and events of test endpoints) are listed immediately. Reading events is never charged. `savings-rates listen` forwards them to your own machine.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksEvents<F extends FieldOf<'webhooksEvents'> = FieldOf<'webhooksEvents'>, T extends Tag = undefined>(input: PageInput<'webhooksEvents', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'webhooksEvents', F>> | IfUnchanged<T>> {
    return this.call('webhooksEvents', input, options)
  }

  /**
   * List an example of each event type, with data from the sample market.
   *
   * Nothing is sent. Test events have the same data.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  webhooksSamples<T extends Tag = undefined>(input: Input<'webhooksSamples'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'webhooksSamples'>> | IfUnchanged<T>> {
    return this.call('webhooksSamples', input, options)
  }

  /**
   * List your market alerts.
   *
   * Oldest first. Live keys list the alerts shown in the portal. Test keys list test alerts, which track the sample market and send emails but no webhooks.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  alertsList<T extends Tag = undefined>(input: Input<'alertsList'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'alertsList'>> | IfUnchanged<T>> {
    return this.call('alertsList', input, options)
  }

  /**
   * Create a market alert.
   *
   * The alert reports only changes made after it is created. Your plan limits the number of alerts.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  alertsCreate<T extends Tag = undefined>(input: Input<'alertsCreate'>, options?: CallOptions<T>): Promise<Answer<Body<'alertsCreate'>> | IfUnchanged<T>> {
    return this.call('alertsCreate', input, options)
  }

  /**
   * Get a market alert.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  alertsGet<T extends Tag = undefined>(input: Input<'alertsGet'>, options?: CallOptions<T>): Promise<Answer<Body<'alertsGet'>> | IfUnchanged<T>> {
    return this.call('alertsGet', input, options)
  }

  /**
   * Change, pause or resume a market alert.
   *
   * Only the fields in the body change. If you change what the alert tracks, it reports only later changes.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  alertsUpdate<T extends Tag = undefined>(input: Input<'alertsUpdate'>, options?: CallOptions<T>): Promise<Answer<Body<'alertsUpdate'>> | IfUnchanged<T>> {
    return this.call('alertsUpdate', input, options)
  }

  /**
   * Delete a market alert.
   *
   * Its notifications are deleted too.
   *
   * Free. Needs the scope `account:manage`.
   *
   * Open to live and test keys.
   */
  alertsDelete<T extends Tag = undefined>(input: Input<'alertsDelete'>, options?: CallOptions<T>): Promise<Answer<Body<'alertsDelete'>> | IfUnchanged<T>> {
    return this.call('alertsDelete', input, options)
  }
}
