import { Histogram } from './histogram.ts'

const chargedHeader = /\r\nx-svc-credits-charged: (\d+)/i

/** Counters shared by all connections in a run. */
export class Totals {
  readonly histogram = new Histogram()
  readonly measureFrom: number
  readonly measureUntil: number
  answered = 0
  notOk = 0
  credits = 0
  uncharged = 0
  firstFault: string | null = null

  constructor(measureFrom: number, measureUntil: number) {
    this.measureFrom = measureFrom
    this.measureUntil = measureUntil
  }

  /** Records the head of a response: status line and headers. */
  head(text: string): void {
    if (!text.startsWith('HTTP/1.1 200 ')) {
      this.notOk++
      this.firstFault ??= text
      return
    }
    const charged = Number(chargedHeader.exec(text)?.[1] ?? 0)
    this.credits += charged
    if (charged === 0) this.uncharged++
  }

  /** Records a complete response. Returns false when the time is up. */
  whole(sentAt: number, now: number): boolean {
    this.answered++
    if (now >= this.measureFrom && now < this.measureUntil) this.histogram.add(now - sentAt)
    return now < this.measureUntil
  }
}
