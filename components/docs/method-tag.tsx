/** HTTP method in front of a path. */
export function MethodTag({ method }: { method: string }) {
  return <span className="shrink-0 rounded-control border border-line-strong px-1 text-[0.6875rem] leading-4 font-semibold text-ink-2">{method}</span>
}
