import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthForm } from '#components/auth/auth-form.tsx'
import { AuthHeading } from '#components/auth/sign-in-parts.tsx'
import { TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { currentCookie } from '#server/auth/current-request.ts'
import { authForm } from '#server/pages/sign-in.ts'

export const metadata: Metadata = { title: 'Enter your code' }

export default async function CodePage({ searchParams }: { searchParams: Promise<{ error?: string }> }) {
  const first = await currentCookie('code')
  if (first === null) redirect('/sign-in?error=code')
  return (
    <>
      <AuthHeading title="Enter your code">Two-factor sign-in is on for your account. Enter the code from your authenticator app.</AuthHeading>
      <AuthForm {...(await authForm('code', '/sign-in/code', first.next, (await searchParams).error))}>
        <TextField name="code" label="Code" hint="6 digits, or a recovery code." autoComplete="one-time-code" size="short" isCode />
        <SubmitButton>Sign in</SubmitButton>
      </AuthForm>
      <p className="mt-8">
        <a className="prose-link" href="/sign-in">
          Sign in to another account
        </a>
      </p>
    </>
  )
}
