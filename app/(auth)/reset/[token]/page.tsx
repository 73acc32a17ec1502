import type { Metadata } from 'next'
import { AuthHeading } from '#components/auth/sign-in-parts.tsx'
import { PasswordField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { currentAuthContext } from '#server/auth/current-request.ts'
import { isResetLink } from '#server/self-service/passwords.ts'
import { resetAction } from '../actions.ts'

export const metadata: Metadata = { title: 'Choose a new password', referrer: 'same-origin', robots: { index: false } }

type Props = { params: Promise<{ token: string }> }

export default async function ResetLinkPage({ params }: Props) {
  const { token } = await params
  const isValid = await isResetLink(await currentAuthContext(), token)
  if (!isValid)
    return (
      <>
        <AuthHeading title="Choose a new password" />
        <Notice tone="caution">This link has already been used or has expired.</Notice>
        <p className="mt-6">
          <ButtonLink kind="primary" href="/reset">
            Request a new link
          </ButtonLink>
        </p>
      </>
    )
  return (
    <>
      <AuthHeading title="Choose a new password">Saving a new password signs you out on all devices.</AuthHeading>
      <Form action={resetAction}>
        <input type="hidden" name="token" value={token} />
        <PasswordField name="password" label="New password" hint="At least 12 characters. Try three or four random words." autoComplete="new-password" />
        <SubmitButton>Save password</SubmitButton>
      </Form>
    </>
  )
}
