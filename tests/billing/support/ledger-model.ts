/** What the ledger of an account has to say, kept in a few numbers and written without a look at how the service does it. */

type Dispute = { readonly pence: number; isTaken: boolean }

/** A purchase and what is known of its payment by now. */
export type ModelTopUp = {
  readonly amountPence: number
  isPaid: boolean
  refundedPence: number
  /** Whether its card is to be saved, and whether it was looked at for that. */
  readonly savesCard: boolean
  isCardRead: boolean
  readonly disputes: Map<string, Dispute>
}

export type ModelAuto = { isOn: boolean; thresholdCredits: number; amountPence: number; ceilingPence: number }

export const newTopUp = (amountPence: number, savesCard = false): ModelTopUp => ({
  amountPence,
  savesCard,
  isPaid: false,
  refundedPence: 0,
  isCardRead: false,
  disputes: new Map(),
})

export class ModelAccount {
  readonly topUps: ModelTopUp[] = []
  isBlocked = false
  /** What its live keys may spend in all, null for no cap, and what they have spent. */
  cap: number | null = null
  spent = 0
  hasCard = false
  auto: ModelAuto | null = null
  /** Pence that automatic top-ups have taken. */
  autoPence = 0
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

  /** What a call gets: as many units as balance and caps pay for; `keyCap` is what the key has left. Returns the credits it costs. */
  charge(price: number, units: number, keyCap = Infinity): number {
    if (this.isBlocked) return 0
    const most = Math.min(this.balance, keyCap, (this.cap ?? Infinity) - this.spent)
    const granted = Math.max(0, Math.min(units, Math.floor(most / price)))
    this.rest -= granted * price
    this.spent += granted * price
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

  /** Payments that have come in are looked at for their cards, oldest first; one of an older payment does not replace what a newer one said. */
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

  /** Whether the wish for automatic top-ups is taken: there has to be a card to switch them on for. */
  wishAuto(wanted: ModelAuto): boolean {
    if (wanted.isOn && !this.hasCard) return false
    this.auto = { ...wanted }
    return true
  }

  /** The automatic top-up that is paid now, or null when none is needed or allowed. */
  topUpByItself(): ModelTopUp | null {
    if (!this.auto?.isOn || !this.hasCard || this.isBlocked || this.balance >= this.auto.thresholdCredits) return null
    if (this.autoPence + this.auto.amountPence > this.auto.ceilingPence) return null
    this.autoPence += this.auto.amountPence
    const topUp = { ...newTopUp(this.auto.amountPence), isPaid: true }
    this.topUps.push(topUp)
    return topUp
  }
}
