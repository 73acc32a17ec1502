/** Arrow that shows whether a disclosure is open. The `details` element needs the class `group`. */
export function Chevron() {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className="size-4 shrink-0 fill-none stroke-current transition-transform duration-120 group-open:rotate-180 motion-reduce:transition-none"
    >
      <path d="M3.5 6 8 10.5 12.5 6" strokeWidth="1.75" />
    </svg>
  )
}
