/** What the ledger of an account has to say, kept in a few numbers and written without a look at how the service does it. */

type Dispute = { readonly pence: number; isTaken: boolean }

/** A purchase and what is known of its payment by now. */
export type ModelTopUp = {
  readonly amountPence: number
  isPaid: boolean
  refundedPence: number
  readonly disputes: Map<string, Dispute>
}

export class ModelAccount {
  readonly topUps: ModelTopUp[] = []
  /** Everything that is no payment: adjustments, less charges, plus charges that were given back. */
  private rest = 0
  /** Events that were delivered while the balance could not pay for them. */
  private owed = 0

  /** What a payment has left of the credits that it bought. */
  private static creditsOf({ amountPence, isPaid, refundedPence, disputes }: ModelTopUp): number {
    if (!isPaid) return 0
    const bought = amountPence / 10
    const held = [...disputes.values()].filter(({ isTaken }) => isTaken).reduce((sum, { pence }) => sum + pence, 0)
    const back = Math.floor(Math.min(refundedPence, amountPence) / 10)
    return bought - back - Math.min(Math.floor(Math.min(held, amountPence) / 10), bought - back)
  }

  get balance(): number {
    return this.topUps.reduce((sum, topUp) => sum + ModelAccount.creditsOf(topUp), this.rest)
  }

  adjust(credits: number): void {
    this.rest += credits
  }

  /** What a call gets: as many units as the balance pays for. Returns the credits it costs. */
  charge(price: number, units: number): number {
    const granted = Math.max(0, Math.min(units, Math.floor(this.balance / price)))
    this.rest -= granted * price
    return granted * price
  }

  /** A webhook event that its receiver took: paid at once, or owed. */
  event(price: number): void {
    if (this.balance >= price) this.rest -= price
    else this.owed += 1
  }

  /** What is owed for events is taken as far as the balance goes. */
  payOwed(price: number): void {
    while (this.owed > 0 && this.balance >= price) {
      this.owed -= 1
      this.rest -= price
    }
  }
}
