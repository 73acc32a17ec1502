'use client'

import { useActionState } from 'react'
import { TextField } from '#components/forms/field.tsx'
import { FormFrame } from '#components/forms/form.tsx'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { CodeField } from './code-field.tsx'
import { noFactorYet, type SecondFactorAction, type SecondFactorState } from './second-factor-state.ts'

type Props = { action: SecondFactorAction; isOn: boolean; codesLeft: number }

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <section aria-labelledby="codes" className="rounded-panel border-2 border-accent bg-accent-wash p-4">
      <h3 id="codes" className="font-semibold">
        Recovery codes
      </h3>
      <p className="mt-1 text-pretty">If you lose your phone, sign in with one of these codes. Each works once. They're only shown now, so store them.</p>
      <ul className="my-3 grid gap-y-1 font-mono text-table">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} what="recovery codes" />
    </section>
  )
}

function SetUp({ setup }: { setup: NonNullable<SecondFactorState['setup']> }) {
  return (
    <>
      <input type="hidden" name="step" value="confirm" />
      <p>Scan the QR code with your authenticator app, or enter the secret.</p>
      {/* biome-ignore lint/performance/noImgElement: an inline data URL */}
      <img src={setup.picture} alt="QR code for two-factor sign-in" className="size-44 rounded-control border border-line" />
      <p className="flex flex-wrap items-center justify-between gap-2">
        <code className="font-mono text-table wrap-anywhere select-all">{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={setup.secret} what="secret" />
      </p>
      <TextField name="code" label="6-digit code" autoComplete="one-time-code" inputMode="numeric" size="short" isCode />
      <SubmitButton>Turn on</SubmitButton>
    </>
  )
}

/** Turns two-factor sign-in on in two steps, renews recovery codes, and turns it off. */
export function SecondFactorForm({ action, isOn, codesLeft }: Props) {
  const [state, send] = useActionState(action, noFactorYet)
  if (state.codes !== null)
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="good">Two-factor sign-in is on.</Notice>
        <Codes codes={state.codes} />
      </div>
    )
  return (
    <FormFrame state={state} send={send} name="factor">
      {state.setup === null ? (
        <>
          <p className="text-pretty">
            {isOn
              ? `On. ${codesLeft} recovery ${codesLeft === 1 ? 'code' : 'codes'} left.`
              : 'Off. Turn it on to require a code from an authenticator app at sign-in.'}
          </p>
          {isOn ? <CodeField /> : null}
          <div className="flex flex-wrap gap-3">
            {isOn ? (
              <>
                <SubmitButton kind="second" name="step" value="renew">
                  Regenerate recovery codes
                </SubmitButton>
                <SubmitButton kind="danger" name="step" value="off">
                  Turn off
                </SubmitButton>
              </>
            ) : (
              <SubmitButton kind="second" name="step" value="begin">
                Set up two-factor sign-in
              </SubmitButton>
            )}
          </div>
        </>
      ) : (
        <SetUp setup={state.setup} />
      )}
    </FormFrame>
  )
}
