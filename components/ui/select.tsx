import type { ComponentProps } from 'react'

/** Native select with our chevron in place of the browser's. `className` sizes and frames the select; its text ends before the chevron. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block w-full min-w-0">
      <select {...rest} className={`${className} cursor-pointer appearance-none truncate pr-9`}>
        {children}
      </select>
      <svg
        viewBox="0 0 16 16"
        aria-hidden="true"
        focusable="false"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 fill-none stroke-ink-2"
      >
        <path d="M3.5 6 8 10.5 12.5 6" strokeWidth="1.75" />
      </svg>
    </span>
  )
}
