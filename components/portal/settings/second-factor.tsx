'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type Dispatch, useRef, useState } from 'react'
import { TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { SummaryButton } from '#components/ui/summary-button.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { CodeField } from './settings-parts.tsx'

/** Saves text as a file. The text is not part of any URL, because browsers list the URLs of downloads. */
function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}

function Codes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n')
  return (
    <section aria-labelledby="codes" className="rounded-panel border-2 border-accent bg-accent-wash p-4">
      <h3 id="codes" className="font-semibold">
        Recovery codes
      </h3>
      <p className="mt-1 text-pretty">
        If you lose your phone, use one of these codes to sign in. Each works once. Save them somewhere safe: you won't see them again.
      </p>
      <ul className="my-3 grid gap-y-1 font-mono text-table">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="plain" type="button" onClick={() => download('recovery-codes.txt', `${text}\n`)}>
          Download
        </Button>
        <CopyButton text={text} what="recovery codes" />
      </div>
    </section>
  )
}

/** Unconfirmed set-up. Held only in this page. */
type SetUp = { readonly secret: string; readonly picture: string }

/** Temporary content in place of the current state: a set-up, or codes that are shown only once. */
type Shown = { readonly setUp: SetUp } | { readonly codes: readonly string[] } | null

type StepProps = { show: Dispatch<Shown> }

function BeginForm({ show }: StepProps) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <MutationForm
      mutation={trpc.security.beginSecondFactor.mutationOptions()}
      name="factor"
      onDone={(setUp) => (setUp === null ? client.invalidateQueries(trpc.security.pathFilter()) : show({ setUp }))}
    >
      <p className="text-pretty">
        <Tag tone="plain">Off</Tag> Turn it on to require a code from an authenticator app at sign-in.
      </p>
      <SubmitButton kind="second">Set up two-factor sign-in</SubmitButton>
    </MutationForm>
  )
}

function ConfirmForm({ setUp, show }: StepProps & { setUp: SetUp }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <MutationForm
      mutation={trpc.security.confirmSecondFactor.mutationOptions()}
      name="factor"
      onDone={async (codes) => {
        show({ codes })
        await Promise.all([client.invalidateQueries(trpc.security.pathFilter()), client.invalidateQueries(trpc.session.pathFilter())])
      }}
    >
      <p>Scan the QR code with your authenticator app, or enter the secret.</p>
      {/* biome-ignore lint/performance/noImgElement: an inline data URL */}
      <img src={setUp.picture} alt="QR code for two-factor sign-in" className="size-44 rounded-control border border-line" />
      <p className="flex flex-wrap items-center justify-between gap-2">
        <code className="font-mono text-table wrap-anywhere select-all">{setUp.secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={setUp.secret} what="secret" />
      </p>
      <TextField name="code" label="6-digit code" autoComplete="one-time-code" inputMode="numeric" size="short" isCode />
      <SubmitButton>Turn on</SubmitButton>
    </MutationForm>
  )
}

function RenewForm({ codesLeft, show }: StepProps & { codesLeft: number }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <MutationForm
      mutation={trpc.security.renewRecoveryCodes.mutationOptions()}
      name="renew"
      onDone={async (codes) => {
        show({ codes })
        await client.invalidateQueries(trpc.security.pathFilter())
      }}
    >
      <p>
        On. {codesLeft} recovery {codesLeft === 1 ? 'code' : 'codes'} left.
      </p>
      <CodeField />
      <SubmitButton kind="second">Regenerate recovery codes</SubmitButton>
    </MutationForm>
  )
}

function TurnOffForm() {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <details className="mt-6 border-t border-line pt-4">
      <SummaryButton kind="danger">Turn off two-factor sign-in</SummaryButton>
      <div className="mt-4">
        <MutationForm
          mutation={trpc.security.turnOffSecondFactor.mutationOptions()}
          name="off"
          onDone={async () => {
            await Promise.all([client.invalidateQueries(trpc.security.pathFilter()), client.invalidateQueries(trpc.session.pathFilter())])
          }}
        >
          <p>All other devices will be signed out.</p>
          <CodeField />
          <SubmitButton kind="danger">Turn off</SubmitButton>
        </MutationForm>
      </div>
    </details>
  )
}

type Props = { isOn: boolean; codesLeft: number; isAdmin: boolean }

/** Current state of two-factor sign-in, with the forms that change it. `isNew` is true after it was turned on in this page. */
function Current({ isOn, codesLeft, isAdmin, isNew, show }: Props & StepProps & { isNew: boolean }) {
  if (!isOn) return <BeginForm show={show} />
  return (
    <>
      {isNew && isAdmin ? (
        <p className="mb-4">
          <ButtonLink kind="primary" href="/admin">
            Continue to admin
          </ButtonLink>
        </p>
      ) : null}
      <RenewForm codesLeft={codesLeft} show={show} />
      <TurnOffForm />
    </>
  )
}

/** Turns two-factor sign-in on (in two steps) or off, and regenerates recovery codes. */
export function SecondFactor(props: Props) {
  const [shown, show] = useState<Shown>(null)
  const box = useRef<HTMLDivElement>(null)
  // Hiding the codes must not move the buttons below under the pointer, so the section keeps its height.
  const [minHeightPx, keepHeight] = useState(0)
  if (shown !== null && 'codes' in shown)
    return (
      <div ref={box} className="flex flex-col gap-4">
        <Notice tone="good">Two-factor sign-in is on.</Notice>
        <Codes codes={shown.codes} />
        <div>
          <Button
            kind="second"
            type="button"
            onClick={() => {
              keepHeight(box.current?.offsetHeight ?? 0)
              show(null)
            }}
          >
            I've saved these codes
          </Button>
        </div>
      </div>
    )
  return (
    <div style={{ minHeight: minHeightPx }}>
      {shown === null ? <Current {...props} isNew={minHeightPx > 0} show={show} /> : <ConfirmForm key="confirm" setUp={shown.setUp} show={show} />}
    </div>
  )
}
