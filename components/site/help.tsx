import type { ReactNode } from 'react'

const places = [
  { href: '/docs', name: 'Docs', about: 'guides for every part of the API' },
  { href: '/docs/errors', name: 'Errors', about: 'what each error code means and how to fix it' },
  { href: '/status', name: 'Status', about: 'service status and incidents' },
  { href: '/portal/requests', name: 'Requests', about: 'look up any of your calls by ID' },
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

/** Information to include in a support request. */
function WhatToSend() {
  return (
    <>
      <p className="mt-2">Tell us what you expected and what happened, and include:</p>
      <ul className="mt-2 list-disc pl-5">
        <li>
          the request ID, which starts with <code className="font-mono">req_</code> and is in every response and under Requests
        </li>
        <li>the reference on the error page, if you saw one</li>
        <li>your account's email address, if your question is about your account</li>
      </ul>
      <p className="mt-2">Never send keys or passwords. We don't need them.</p>
    </>
  )
}

function Contact({ email }: { email: string | null }) {
  if (email === null) return <p className="mt-2">No support address is configured. In production, the service won’t start without one.</p>
  return (
    <>
      <p className="mt-2">
        Email{' '}
        <a className="prose-link wrap-anywhere" href={`mailto:${email}`}>
          {email}
        </a>
        . Also use this address if your account is blocked or was not approved.
      </p>
      <WhatToSend />
    </>
  )
}

/** Support page. `email` is the support address; null if none is configured. */
export function Help({ email }: { email: string | null }) {
  return (
    <article className="max-w-[68ch] text-prose">
      <h1 className="text-title font-semibold tracking-tight">Help</h1>
      <Part id="look" title="Find an answer">
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
