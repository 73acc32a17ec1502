import { moment } from './dates.ts'

const hint =
  'focus-visible:after:absolute focus-visible:after:top-full focus-visible:after:left-0 focus-visible:after:z-10 focus-visible:after:mt-1 focus-visible:after:rounded-control focus-visible:after:bg-surface focus-visible:after:p-2 focus-visible:after:text-note focus-visible:after:whitespace-nowrap focus-visible:after:text-ink focus-visible:after:shadow-float focus-visible:after:content-[attr(data-local)]'

/** A moment in UTC. Pointed at or reached with the keyboard it also says the reader's own time, once the page has its script. */
export function Time({ at }: { at: Date }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the time where the reader is has to be there without a mouse as well
    <time dateTime={at.toISOString()} tabIndex={0} className={`relative ${hint}`}>
      {moment(at)}
    </time>
  )
}
