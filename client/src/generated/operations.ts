// Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.

import type { Answer, Envelope, IfUnchanged } from '../answer.ts'
import type { CallOptions, Tag } from '../call-options.ts'
import type { Body, FieldOf, Input, OperationId, PageBody, PageInput } from '../shapes.ts'

/** One method for each endpoint of the API. */
export abstract class Operations {
  protected abstract call<B extends Envelope, T extends Tag>(id: OperationId, input: object, options?: CallOptions<T>): Promise<Answer<B> | IfUnchanged<T>>

  /**
   * Check that the service answers and which mode the key has.
   *
   * Use it to check a key or that the service answers.
   *
   * Free. Works with any key.
   *
   * Open to live and test keys.
   */
  servicePing<T extends Tag = undefined>(input: Input<'servicePing'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'servicePing'>> | IfUnchanged<T>> {
    return this.call('servicePing', input, options)
  }

  /**
   * Read the account, its balance, limits and usage, and what this key can call.
   *
   * Use it to see the balance, the limits and what this key can call, before calls that cost something.
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
   * Use it to find the slug of a provider, which other tools take as `provider` or `slug`.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  referenceProviders<T extends Tag = undefined>(input: Input<'referenceProviders'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceProviders'>> | IfUnchanged<T>> {
    return this.call('referenceProviders', input, options)
  }

  /**
   * List the keys and names of all products.
   *
   * Use it to find the sourceKey of a product whose name is known, far cheaper than by reading rates.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  referenceProducts<T extends Tag = undefined>(input: Input<'referenceProducts'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceProducts'>> | IfUnchanged<T>> {
    return this.call('referenceProducts', input, options)
  }

  /**
   * List the keys and names of all cards and the list that carries each.
   *
   * Use it to find the sourceKey of a card whose name is known.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  referenceCards<T extends Tag = undefined>(input: Input<'referenceCards'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceCards'>> | IfUnchanged<T>> {
    return this.call('referenceCards', input, options)
  }

  /**
   * List the currencies that cards and exchange rates can be asked for.
   *
   * Use it to find the codes that `currency` takes.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to live and test keys.
   */
  referenceCurrencies<T extends Tag = undefined>(input: Input<'referenceCurrencies'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceCurrencies'>> | IfUnchanged<T>> {
    return this.call('referenceCurrencies', input, options)
  }

  /**
   * List the account types that can be filtered by.
   *
   * Use it to find the values that `type` takes and what they mean.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys.
   */
  referenceAccountTypes<T extends Tag = undefined>(input: Input<'referenceAccountTypes'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'referenceAccountTypes'>> | IfUnchanged<T>> {
    return this.call('referenceAccountTypes', input, options)
  }

  /**
   * List which brands share one deposit protection limit, and the limits.
   *
   * Use it to tell how much is protected where, or which brands share one limit, before money is split between banks.
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
   * Pages go on in the order in which the first one began, so that none skips or repeats a product whose rate changes. Charged for each row returned, not for each page.
   *
   * Use it to find the best savings accounts now, for an account type, a provider or an amount.
   *
   * Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  ratesList<F extends FieldOf<'ratesList'> = FieldOf<'ratesList'>, T extends Tag = undefined>(input: PageInput<'ratesList', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'ratesList', F>> | IfUnchanged<T>> {
    return this.call('ratesList', input, options)
  }

  /**
   * Read one savings product.
   *
   * Use it to read the present terms of a product whose sourceKey is known.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  ratesGet<T extends Tag = undefined>(input: Input<'ratesGet'>, options?: CallOptions<T>): Promise<Answer<Body<'ratesGet'>> | IfUnchanged<T>> {
    return this.call('ratesGet', input, options)
  }

  /**
   * Read the address of a product's page on the provider's own site.
   *
   * Use it to send somebody to where they can open the account.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  ratesLink<T extends Tag = undefined>(input: Input<'ratesLink'>, options?: CallOptions<T>): Promise<Answer<Body<'ratesLink'>> | IfUnchanged<T>> {
    return this.call('ratesLink', input, options)
  }

  /**
   * List changes of savings rates, newest first.
   *
   * Launches and withdrawals of products are changes too. A change keeps its place in the list for good, so that pages neither skip nor repeat one. Charged for each row returned, not for each page.
   *
   * Use it to see when and by how much the rate of a product changed.
   *
   * Costs 2 credits per row (20p per row). Test keys are never charged. Needs the scope `history:read`. Live keys need the Enterprise plan; on a lower one they get `plan_upgrade_required` and are not charged.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  historyList<F extends FieldOf<'historyList'> = FieldOf<'historyList'>, T extends Tag = undefined>(input: PageInput<'historyList', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'historyList', F>> | IfUnchanged<T>> {
    return this.call('historyList', input, options)
  }

  /**
   * List base rates and bonuses and the times for which they held, newest first.
   *
   * Each row is the time between two changes of a product. `from` and `to` choose by its first day. Charged for each row returned, not for each page.
   *
   * Use it to see base rate and bonus of a product over time.
   *
   * Costs 2 credits per row (20p per row). Test keys are never charged. Needs the scope `history:read`. Live keys need the Enterprise plan; on a lower one they get `plan_upgrade_required` and are not charged.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  historyComponents<F extends FieldOf<'historyComponents'> = FieldOf<'historyComponents'>, T extends Tag = undefined>(input: PageInput<'historyComponents', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'historyComponents', F>> | IfUnchanged<T>> {
    return this.call('historyComponents', input, options)
  }

  /**
   * Read how savings rates moved, as series.
   *
   * For each account type the best, the average and the median rate, of the whole market or of one provider; for a product its own rate. Points lie a day apart in a window of up to 92 days, a week in up to 731 days, four weeks in more; the last one is today.
   *
   * Use it to see how rates have moved over months.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `history:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  rateTrends<F extends FieldOf<'rateTrends'> = FieldOf<'rateTrends'>, T extends Tag = undefined>(input: PageInput<'rateTrends', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'rateTrends', F>> | IfUnchanged<T>> {
    return this.call('rateTrends', input, options)
  }

  /**
   * List providers by name, with what they offer and who shares their licence.
   *
   * Charged for each row returned, not for each page.
   *
   * Use it to compare banks and building societies themselves rather than their products.
   *
   * Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  providersList<F extends FieldOf<'providersList'> = FieldOf<'providersList'>, T extends Tag = undefined>(input: PageInput<'providersList', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'providersList', F>> | IfUnchanged<T>> {
    return this.call('providersList', input, options)
  }

  /**
   * Read one provider and its savings products.
   *
   * Use it to read about one provider with everything that it offers; the slug is in reference_providers.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  providersGet<T extends Tag = undefined>(input: Input<'providersGet'>, options?: CallOptions<T>): Promise<Answer<Body<'providersGet'>> | IfUnchanged<T>> {
    return this.call('providersGet', input, options)
  }

  /**
   * Read how customers rate a provider, by survey and region.
   *
   * Surveys cover providers of current accounts: `surveys` is empty for one that was not asked about. `cassParticipant` on /providers tells who has current accounts.
   *
   * Use it to tell how satisfied the customers of a bank are before recommending it.
   *
   * Costs 2 credits (20p). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  providersServiceQuality<T extends Tag = undefined>(input: Input<'providersServiceQuality'>, options?: CallOptions<T>): Promise<Answer<Body<'providersServiceQuality'>> | IfUnchanged<T>> {
    return this.call('providersServiceQuality', input, options)
  }

  /**
   * List what providers pay for switching a current account to them, highest bonus first.
   *
   * Offers whose last day has passed are left out. Charged for each row returned, not for each page.
   *
   * Use it to find out what a bank pays for moving a current account to it, and on what terms.
   *
   * Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `offers:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  switchOffers<F extends FieldOf<'switchOffers'> = FieldOf<'switchOffers'>, T extends Tag = undefined>(input: PageInput<'switchOffers', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'switchOffers', F>> | IfUnchanged<T>> {
    return this.call('switchOffers', input, options)
  }

  /**
   * List what current accounts offer to those who open one.
   *
   * In order of offerKey; offers whose last day has passed are left out. Charged for each page, whatever its size.
   *
   * Use it to find what is paid or given for opening a current account.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `offers:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  accountOffers<F extends FieldOf<'accountOffers'> = FieldOf<'accountOffers'>, T extends Tag = undefined>(input: PageInput<'accountOffers', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'accountOffers', F>> | IfUnchanged<T>> {
    return this.call('accountOffers', input, options)
  }

  /**
   * List reward cards and their terms.
   *
   * In order of sourceKey. Charged for each page, whatever its size.
   *
   * Use it to compare cards by cashback, points and fees.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  cardsRewards<F extends FieldOf<'cardsRewards'> = FieldOf<'cardsRewards'>, T extends Tag = undefined>(input: PageInput<'cardsRewards', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'cardsRewards', F>> | IfUnchanged<T>> {
    return this.call('cardsRewards', input, options)
  }

  /**
   * List travel cards and their charges, lowest charge on foreign payments first.
   *
   * With `currency` only cards that pay in it. `costPer100` is computed from fees alone; how good the exchange rate of a card is comes on top. Charged for each page, whatever its size.
   *
   * Use it to compare cards by what they charge abroad.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  cardsTravel<F extends FieldOf<'cardsTravel'> = FieldOf<'cardsTravel'>, T extends Tag = undefined>(input: PageInput<'cardsTravel', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'cardsTravel', F>> | IfUnchanged<T>> {
    return this.call('cardsTravel', input, options)
  }

  /**
   * Read the logo of a provider.
   *
   * A provider without a logo has no asset: 404, and nothing is charged.
   *
   * Use it to show the logo of a provider; an answer in words does not need it.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `providers:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  assetsProvider<T extends Tag = undefined>(input: Input<'assetsProvider'>, options?: CallOptions<T>): Promise<Answer<Body<'assetsProvider'>> | IfUnchanged<T>> {
    return this.call('assetsProvider', input, options)
  }

  /**
   * Read the picture of a card.
   *
   * Use it to show the picture of a card; an answer in words does not need it.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  assetsCard<T extends Tag = undefined>(input: Input<'assetsCard'>, options?: CallOptions<T>): Promise<Answer<Body<'assetsCard'>> | IfUnchanged<T>> {
    return this.call('assetsCard', input, options)
  }

  /**
   * Simulate the growth of a balance in a product.
   *
   * By the product's actual terms: the rate (AER) becomes the rate of each credit, an introductory bonus ends on time, and a fixed rate is held to maturity, where the figures stop. A plain rate compounds annually. Interest is rounded half-up to the penny at each credit.
   *
   * Use it to work out what a balance comes to in a product, its bonus and its term included.
   *
   * Costs 2 credits (20p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  simulate<T extends Tag = undefined>(input: Input<'simulate'>, options?: CallOptions<T>): Promise<Answer<Body<'simulate'>> | IfUnchanged<T>> {
    return this.call('simulate', input, options)
  }

  /**
   * Tax on savings interest.
   *
   * A UK person's tax on a year's savings interest: personal allowance and its taper, starting rate, personal savings allowance, rates of the tax year.
   *
   * Use it to work out the tax that somebody owes on interest.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  calculatorsSavingsTax<T extends Tag = undefined>(input: Input<'calculatorsSavingsTax'>, options?: CallOptions<T>): Promise<Answer<Body<'calculatorsSavingsTax'>> | IfUnchanged<T>> {
    return this.call('calculatorsSavingsTax', input, options)
  }

  /**
   * What is left of the ISA allowance.
   *
   * Give either "used", everything paid into adult ISAs in the tax year, or the amounts per type. Without either, nothing was paid in yet.
   *
   * Use it to check what may still be paid into ISAs this tax year.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  calculatorsIsaAllowance<T extends Tag = undefined>(input: Input<'calculatorsIsaAllowance'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'calculatorsIsaAllowance'>> | IfUnchanged<T>> {
    return this.call('calculatorsIsaAllowance', input, options)
  }

  /**
   * Growth of savings at a rate.
   *
   * An amount, and monthly payments if given, at a rate that compounds annually.
   *
   * Use it to work out what savings come to at a rate that is known or assumed.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  calculatorsSavingsGrowth<T extends Tag = undefined>(input: Input<'calculatorsSavingsGrowth'>, options?: CallOptions<T>): Promise<Answer<Body<'calculatorsSavingsGrowth'>> | IfUnchanged<T>> {
    return this.call('calculatorsSavingsGrowth', input, options)
  }

  /**
   * Interest of a regular saver.
   *
   * The same payment at the start of every month; interest is worked out on each deposit.
   *
   * Use it to work out what monthly payments earn.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.
   *
   * Open to live and test keys. Test keys read sample data of fictional providers.
   */
  calculatorsRegularSaver<T extends Tag = undefined>(input: Input<'calculatorsRegularSaver'>, options?: CallOptions<T>): Promise<Answer<Body<'calculatorsRegularSaver'>> | IfUnchanged<T>> {
    return this.call('calculatorsRegularSaver', input, options)
  }

  /**
   * List the newest exchange rate of each currency to the pound.
   *
   * True data for live and test keys alike; indicative mid-market or reference rates, not those of a card. In order of currency code. Charged for each page, whatever its size. Currencies that no source prices are left out.
   *
   * Use it to convert between pounds and another currency.
   *
   * Costs 1 credit (10p). Test keys are never charged. Needs one of the scopes `cards:read`, `market:read`.
   *
   * Open to live and test keys.
   */
  fxRates<F extends FieldOf<'fxRates'> = FieldOf<'fxRates'>, T extends Tag = undefined>(input: PageInput<'fxRates', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'fxRates', F>> | IfUnchanged<T>> {
    return this.call('fxRates', input, options)
  }

  /**
   * List past exchange rates of the pound, newest first.
   *
   * True data for live and test keys alike, up to three years back. Without `currency` every currency of a day is listed, in order of its code. Days without a published rate have no row. Charged for each page, whatever its size.
   *
   * Use it to see how the pound has moved against a currency.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged.
   */
  cardsFxHistory<F extends FieldOf<'cardsFxHistory'> = FieldOf<'cardsFxHistory'>, T extends Tag = undefined>(input: PageInput<'cardsFxHistory', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'cardsFxHistory', F>> | IfUnchanged<T>> {
    return this.call('cardsFxHistory', input, options)
  }

  /**
   * Read how the savings market stands beside Bank Rate and inflation.
   *
   * Counts of days follow the calendar of London and the rows of /history. A rate that only equals Bank Rate or CPI does not beat it.
   *
   * Use it to tell how good rates are now, compared with Bank Rate and inflation.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  marketOverview<T extends Tag = undefined>(input: Input<'marketOverview'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketOverview'>> | IfUnchanged<T>> {
    return this.call('marketOverview', input, options)
  }

  /**
   * List average rates by account type and term, beside those of the Bank of England.
   *
   * Every product counts once, whatever money it holds; bonuses are part of its rate. The quoted rates of the Bank of England are weighted averages of a smaller market, so ours are usually higher. `limit=50` has all rows on one page.
   *
   * Use it to tell whether a rate is above or below what is usual for its account type.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  marketAverages<F extends FieldOf<'marketAverages'> = FieldOf<'marketAverages'>, T extends Tag = undefined>(input: PageInput<'marketAverages', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'marketAverages', F>> | IfUnchanged<T>> {
    return this.call('marketAverages', input, options)
  }

  /**
   * List what the products of each account type come to.
   *
   * A row for each account type, also for one without products.
   *
   * Use it to compare the account types with each other.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  marketCategoryStats<F extends FieldOf<'marketCategoryStats'> = FieldOf<'marketCategoryStats'>, T extends Tag = undefined>(input: PageInput<'marketCategoryStats', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'marketCategoryStats', F>> | IfUnchanged<T>> {
    return this.call('marketCategoryStats', input, options)
  }

  /**
   * List what reward cards and travel cards come to.
   *
   * Two rows: rewards, then travel. Points, miles and vouchers are not cashback.
   *
   * Use it to tell what cards usually offer and charge.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  marketCardStats<F extends FieldOf<'marketCardStats'> = FieldOf<'marketCardStats'>, T extends Tag = undefined>(input: PageInput<'marketCardStats', F> = {}, options?: CallOptions<T>): Promise<Answer<PageBody<'marketCardStats', F>> | IfUnchanged<T>> {
    return this.call('marketCardStats', input, options)
  }

  /**
   * Read the headline figures of the market.
   *
   * Use it to get a few figures about the whole market at once.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged. Test keys read sample data of fictional providers.
   */
  marketHeroStats<T extends Tag = undefined>(input: Input<'marketHeroStats'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketHeroStats'>> | IfUnchanged<T>> {
    return this.call('marketHeroStats', input, options)
  }

  /**
   * Read Bank Rate of the Bank of England and every change of it.
   *
   * True data for live and test keys alike. `stale` says when the last confirmed day is more than a week ago.
   *
   * Use it to read Bank Rate, now or in the past.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged.
   */
  marketBoeRate<T extends Tag = undefined>(input: Input<'marketBoeRate'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketBoeRate'>> | IfUnchanged<T>> {
    return this.call('marketBoeRate', input, options)
  }

  /**
   * Read the three key rates of the European Central Bank and their history.
   *
   * True data for live and test keys alike. `stale` says when the last confirmed day is more than a week ago.
   *
   * Use it to read the key rates of the euro area, now or in the past.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged.
   */
  marketEcbRate<T extends Tag = undefined>(input: Input<'marketEcbRate'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketEcbRate'>> | IfUnchanged<T>> {
    return this.call('marketEcbRate', input, options)
  }

  /**
   * Read UK inflation: CPI, CPIH and RPI, now and by month.
   *
   * True data for live and test keys alike. `asOf` is the last day of the newest CPI month; source, licence and `stale` are those of CPI.
   *
   * Use it to compare a rate with inflation.
   *
   * Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.
   *
   * Open to test keys only for now: a live key gets `endpoint_restricted` and is not charged.
   */
  marketInflation<T extends Tag = undefined>(input: Input<'marketInflation'> = {}, options?: CallOptions<T>): Promise<Answer<Body<'marketInflation'>> | IfUnchanged<T>> {
    return this.call('marketInflation', input, options)
  }
}
