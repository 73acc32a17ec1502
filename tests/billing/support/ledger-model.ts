/** What the ledger of an account has to say, kept in a few numbers and written without a look at how the service does it. */

type Refund = { readonly pence: number; readonly isGone: boolean }

type Dispute = { readonly pence: number; isTaken: boolean }

/** A purchase and what is known of its payment by now. */
export type ModelTopUp = {
  readonly amountPence: number
  isPaid: boolean
  /** The most that its charge has told of in all, and the refunds that told of themselves. */
  refundedPence: number
  readonly refunds: Map<string, Refund>
  /** Whether its card is to be saved, and whether it was looked at for that. */
  readonly savesCard: boolean
  isCardRead: boolean
  readonly disputes: Map<string, Dispute>
}

type Books = { readonly bought: number; readonly back: number; readonly held: number }

const nothing: Books = { bought: 0, back: 0, held: 0 }

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

/** What went back of a payment and did not come back from there, as far as anybody has told. */
export function gonePence({ refundedPence, refunds }: ModelTopUp): number {
  const sum = (isGone: boolean) => [...refunds.values()].filter((one) => one.isGone === isGone).reduce((pence, one) => pence + one.pence, 0)
  return Math.max(0, sum(true), refundedPence - sum(false))
}

export class ModelAccount {
  readonly topUps: ModelTopUp[] = []
  isBlocked = false
  /** What its live keys may spend in all, null for no cap, and what they have spent. */
  cap: number | null = null
  spent = 0
  hasCard = false
  auto: ModelAuto | null = null
  /** Whether an automatic top-up was paid a moment ago, which the next one keeps apart from. */
  private isResting = false
  /** Pence that automatic top-ups have taken. */
  autoPence = 0
  /** Everything that is no payment: adjustments, less charges, plus charges that were given back. */
  private rest = 0
  /** Events that were delivered while the balance could not pay for them. */
  private owed = 0
  private readonly seen = new Map<ModelTopUp, Books>()

  /** What a payment bought, and what of it was refunded and is disputed. */
  private static booksOf(topUp: ModelTopUp): Books {
    const { amountPence, isPaid, disputes } = topUp
    if (!isPaid) return nothing
    const bought = amountPence / 10
    const disputed = [...disputes.values()].filter(({ isTaken }) => isTaken).reduce((sum, { pence }) => sum + pence, 0)
    const back = Math.floor(Math.min(gonePence(topUp), amountPence) / 10)
    return { bought, back, held: Math.min(Math.floor(Math.min(disputed, amountPence) / 10), bought - back) }
  }

  get balance(): number {
    return this.topUps.map(ModelAccount.booksOf).reduce((sum, { bought, back, held }) => sum + bought - back - held, this.rest)
  }

  /** Looks at what has been learnt since it looked last: whatever takes credits back from a payment ends automatic top-ups. */
  look(): void {
    for (const topUp of this.topUps) {
      const [before, after] = [this.seen.get(topUp) ?? nothing, ModelAccount.booksOf(topUp)]
      if (this.auto && (after.back > before.back || after.held > before.held)) this.auto.isOn = false
      this.seen.set(topUp, after)
    }
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

  /** Whether the wish for automatic top-ups is taken: there has to be a card to switch them on for, and one of them has to reach the threshold. */
  wishAuto(wanted: ModelAuto): boolean {
    if (wanted.isOn && (!this.hasCard || wanted.thresholdCredits > wanted.amountPence / 10)) return false
    this.auto = { ...wanted }
    // Whoever switches them on wants them now.
    if (wanted.isOn) this.isResting = false
    return true
  }

  /** A minute goes by. */
  waitAMinute(): void {
    this.isResting = false
  }

  /** The automatic top-up that is paid now, or null when none is needed or allowed. */
  topUpByItself(): ModelTopUp | null {
    if (!this.auto?.isOn || !this.hasCard || this.isBlocked || this.isResting || this.balance >= this.auto.thresholdCredits) return null
    if (this.autoPence + this.auto.amountPence > this.auto.ceilingPence) return null
    this.autoPence += this.auto.amountPence
    this.isResting = true
    const topUp = { ...newTopUp(this.auto.amountPence), isPaid: true }
    this.topUps.push(topUp)
    return topUp
  }
}
