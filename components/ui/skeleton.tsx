/** Placeholder of the same size as text that is being loaded. `width` is a width class, such as `w-24`. */
export function Skeleton({ width }: { width: string }) {
  return <span aria-hidden="true" className={`inline-block h-[1em] animate-pulse rounded-control bg-hover align-middle motion-reduce:animate-none ${width}`} />
}
