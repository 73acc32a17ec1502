/** Arrow that shows whether a disclosure is open. The `details` element needs the class `group`. */
export function Chevron() {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className="size-4 shrink-0 fill-none stroke-current transition-transform duration-120 group-open:rotate-90 motion-reduce:transition-none"
    >
      <path d="M6 3.5 10.5 8 6 12.5" strokeWidth="1.75" />
    </svg>
  )
}
