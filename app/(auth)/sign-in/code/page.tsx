import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthHeading } from '#components/auth/auth-heading.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { currentCookie } from '#server/auth/current-request.ts'
import { codeAction } from '../actions.ts'

export const metadata: Metadata = { title: 'Enter your code' }

export default async function CodePage() {
  if ((await currentCookie('code')) === null) redirect('/sign-in?error=code')
  return (
    <>
      <AuthHeading title="Enter your code">Your account asks for a second step. Enter the code that your app shows now.</AuthHeading>
      <Form action={codeAction}>
        <TextField
          name="code"
          label="Code"
          hint="Six digits. Without your phone, enter one of your recovery codes instead."
          autoComplete="one-time-code"
          size="short"
          isCode
        />
        <SubmitButton>Sign in</SubmitButton>
      </Form>
      <p className="mt-8">
        <a className="prose-link" href="/sign-in">
          Sign in as somebody else
        </a>
      </p>
    </>
  )
}
