import type { ReactNode } from 'react'

const places = [
  { href: '/docs', name: 'Docs', about: 'how to make a call, page by page' },
  { href: '/docs/errors', name: 'Errors', about: 'what each code means and what to do next' },
  { href: '/status', name: 'Status', about: 'whether the service works now' },
  { href: '/portal/requests', name: 'Requests', about: 'what happened to a call of yours, by its id' },
] as const

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="text-h2 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** What helps whoever reads a letter, so that the first answer can be the last. */
function WhatToSend() {
  return (
    <>
      <p className="mt-2">Say what you expected and what happened, and send along:</p>
      <ul className="mt-2 list-disc pl-5">
        <li>
          the id of the call, which begins with <code className="font-mono">req_</code>: it is in every answer, and beside every call under Requests
        </li>
        <li>the reference, when a page failed</li>
        <li>the email address of your account, when it is about your account</li>
      </ul>
      <p className="mt-2">Leave keys and passwords out: nobody here needs them.</p>
    </>
  )
}

function Contact({ email }: { email: string | null }) {
  if (email === null) return <p className="mt-2">This service names no address to write to. Whoever runs it for you has one.</p>
  return (
    <>
      <p className="mt-2">
        Write to{' '}
        <a className="prose-link wrap-anywhere" href={`mailto:${email}`}>
          {email}
        </a>
        . That is also the address when your account is blocked or was not approved.
      </p>
      <WhatToSend />
    </>
  )
}

/** The one place for help. `email` is where people write; null: the operator named no address, and none is made up. */
export function Help({ email }: { email: string | null }) {
  return (
    <article className="max-w-[68ch] text-prose">
      <h1 className="text-figure font-semibold tracking-tight">Help</h1>
      <Part id="look" title="Find the answer">
        <ul className="mt-2">
          {places.map(({ href, name, about }) => (
            <li key={href}>
              <a className="prose-link inline-block py-1" href={href}>
                {name}
              </a>
              : {about}
            </li>
          ))}
        </ul>
      </Part>
      <Part id="contact" title="Contact support">
        <Contact email={email} />
      </Part>
    </article>
  )
}
