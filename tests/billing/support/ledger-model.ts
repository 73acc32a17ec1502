/** Model of an account's ledger in a few numbers, independent of the implementation. */

type Refund = { readonly pence: number; readonly isGone: boolean }

type Dispute = { readonly pence: number; isTaken: boolean }

/** Purchase, and the state of its payment according to the events so far. */
export type ModelTopUp = {
  readonly amountPence: number
  isPaid: boolean
  /** Highest refund total reported by any of the charge's events. `refunds` holds the refunds that had separate events. */
  refundedPence: number
  readonly refunds: Map<string, Refund>
  /** True if the customer chose to save the card. `isCardRead` is true once the worker has loaded the card from Stripe. */
  readonly savesCard: boolean
  isCardRead: boolean
  readonly disputes: Map<string, Dispute>
}

type TopUpCredits = { readonly bought: number; readonly back: number; readonly held: number }

const nothing: TopUpCredits = { bought: 0, back: 0, held: 0 }

export type ModelAuto = { isOn: boolean; thresholdCredits: number; amountPence: number; ceilingPence: number }

export const newTopUp = (amountPence: number, savesCard = false): ModelTopUp => ({
  amountPence,
  savesCard,
  isPaid: false,
  refundedPence: 0,
  refunds: new Map(),
  isCardRead: false,
  disputes: new Map(),
})

/** Returns how much of a payment has been refunded according to the events so far, in pence and without failed refunds. */
export function getRefundedPence({ refundedPence, refunds }: ModelTopUp): number {
  const sum = (isGone: boolean) => [...refunds.values()].filter((one) => one.isGone === isGone).reduce((pence, one) => pence + one.pence, 0)
  return Math.max(0, sum(true), refundedPence - sum(false))
}

export class ModelAccount {
  readonly topUps: ModelTopUp[] = []
  isBlocked = false
  /** Spend cap of the account in credits; null for no cap. `spent` counts towards it. */
  cap: number | null = null
  spent = 0
  hasCard = false
  auto: ModelAuto | null = null
  /** True during the pause after a paid automatic top-up. */
  private isResting = false
  /** Total of automatic top-ups in pence. */
  autoPence = 0
  /** Net credits from everything except payments: adjustments minus charges plus reversed charges. */
  private rest = 0
  /** Number of delivered events that the balance didn't cover. */
  private owed = 0
  private readonly seen = new Map<ModelTopUp, TopUpCredits>()

  /** Returns the credits bought by a payment, and how many of them were refunded and disputed. */
  private static getCredits(topUp: ModelTopUp): TopUpCredits {
    const { amountPence, isPaid, disputes } = topUp
    if (!isPaid) return nothing
    const bought = amountPence / 10
    const disputed = [...disputes.values()].filter(({ isTaken }) => isTaken).reduce((sum, { pence }) => sum + pence, 0)
    const back = Math.floor(Math.min(getRefundedPence(topUp), amountPence) / 10)
    return { bought, back, held: Math.min(Math.floor(Math.min(disputed, amountPence) / 10), bought - back) }
  }

  get balance(): number {
    return this.topUps.map(ModelAccount.getCredits).reduce((sum, { bought, back, held }) => sum + bought - back - held, this.rest)
  }

  /** Turns automatic top-ups off if credits of any payment were refunded or disputed since the previous call. */
  applyChanges(): void {
    for (const topUp of this.topUps) {
      const [before, after] = [this.seen.get(topUp) ?? nothing, ModelAccount.getCredits(topUp)]
      if (this.auto && (after.back > before.back || after.held > before.held)) this.auto.isOn = false
      this.seen.set(topUp, after)
    }
  }

  adjust(credits: number): void {
    this.rest += credits
  }

  /**
   * Charges for as many units of a call as the balance and caps allow; `keyCap` is the number of credits left under the key's cap. Returns the credits charged.
   */
  charge(price: number, units: number, keyCap = Infinity): number {
    if (this.isBlocked) return 0
    const most = Math.min(this.balance, keyCap, (this.cap ?? Infinity) - this.spent)
    const granted = Math.max(0, Math.min(units, Math.floor(most / price)))
    this.rest -= granted * price
    this.spent += granted * price
    return granted * price
  }

  /** Charges for a webhook event that its receiver accepted. If the balance is too low, the event counts as owed. */
  event(price: number): void {
    if (this.balance >= price) this.rest -= price
    else this.owed += 1
  }

  /** Charges for owed events, one by one, until the balance is too low for the next. */
  payOwed(price: number): void {
    while (this.owed > 0 && this.balance >= price) {
      this.owed -= 1
      this.rest -= price
    }
  }

  /** Reads the cards used for paid purchases, oldest first. The card of an older payment doesn't replace that of a newer one. */
  readCards(): void {
    for (const [at, topUp] of this.topUps.entries()) {
      if (!topUp.savesCard || !topUp.isPaid || topUp.isCardRead) continue
      topUp.isCardRead = true
      if (!this.topUps.slice(at + 1).some(({ isCardRead }) => isCardRead)) this.hasCard = true
    }
  }

  removeCard(): void {
    if (this.hasCard && this.auto) this.auto.isOn = false
    this.hasCard = false
  }

  /** Changes automatic top-ups. Returns false if rejected: to turn them on, there must be a saved card, and one top-up must reach the threshold. */
  setAutoTopUp(wanted: ModelAuto): boolean {
    if (wanted.isOn && (!this.hasCard || wanted.thresholdCredits > wanted.amountPence / 10)) return false
    this.auto = { ...wanted }
    // Turning automatic top-ups on ends the pause.
    if (wanted.isOn) this.isResting = false
    return true
  }

  /** Ends the pause after an automatic top-up. */
  waitAMinute(): void {
    this.isResting = false
  }

  /** Returns the automatic top-up to be paid now, or null if none is needed or allowed. */
  startAutoTopUp(): ModelTopUp | null {
    if (!this.auto?.isOn || !this.hasCard || this.isBlocked || this.isResting || this.balance >= this.auto.thresholdCredits) return null
    if (this.autoPence + this.auto.amountPence > this.auto.ceilingPence) return null
    this.autoPence += this.auto.amountPence
    this.isResting = true
    const topUp = { ...newTopUp(this.auto.amountPence), isPaid: true }
    this.topUps.push(topUp)
    return topUp
  }
}
