import type { Metadata } from 'next'
import { ResetForm } from '#components/auth/procedure-forms.tsx'
import { AuthHeading } from '#components/auth/sign-in-parts.tsx'
import { Notice } from '#components/ui/notice.tsx'

export const metadata: Metadata = { title: 'Reset your password' }

type Props = { searchParams: Promise<{ sent?: string }> }

export default async function ResetPage({ searchParams }: Props) {
  const { sent } = await searchParams
  if (sent !== undefined)
    return (
      <>
        <AuthHeading title="Check your email" />
        <Notice tone="good">If an account exists for this address, we've sent a link. It works once and expires in 30 minutes.</Notice>
        <p className="mt-6">
          <a className="prose-link" href="/sign-in">
            Sign in
          </a>
        </p>
      </>
    )
  return (
    <>
      <AuthHeading title="Reset your password">Enter your account's email address and we'll send you a link.</AuthHeading>
      <ResetForm />
      <p className="mt-8">
        <a className="prose-link" href="/sign-in">
          Sign in
        </a>
      </p>
    </>
  )
}
