import { starterCredits } from '#server/api/contract/plans.ts'
import { action, facts, type Letter, text } from '../letter.ts'
import type { MailFacts } from '../mail-kinds.ts'

/** Values available to every email in addition to its facts. */
export type LetterContext = { readonly publicUrl: string; readonly recipient: string }

export const moment = (iso: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(iso)).replace(' at ', ', ')} UTC`

const resetPassword = ({ publicUrl }: LetterContext) => action('Choose a new password', `${publicUrl}/reset`)

export const confirmLetter = (context: LetterContext, token: string): Letter => ({
  subject: 'Confirm your email',
  parts: [
    text(`Confirm your email to open your account. You'll get ${starterCredits} credits to start with.`),
    action('Confirm email', `${context.publicUrl}/confirm/${token}`),
    text(
      "This link works once and expires in 30 minutes. If you didn't create an account, ignore this email: no one can use this address until it is confirmed.",
    ),
  ],
})

export const knownLetter = (context: LetterContext): Letter => ({
  subject: 'You already have an account',
  parts: [
    text(`Someone, most likely you, tried to create an account for ${context.recipient}. You already have one, and nothing has changed.`),
    action('Sign in', `${context.publicUrl}/sign-in`),
    text(`Forgotten your password? Choose a new one: ${context.publicUrl}/reset`),
  ],
})

export const resetLetter = (context: LetterContext, token: string): Letter => ({
  subject: 'Reset your password',
  parts: [
    text(`We received a request to reset the password for ${context.recipient}.`),
    action('Choose a new password', `${context.publicUrl}/reset/${token}`),
    text("This link works once and expires in 30 minutes. If you didn't request it, ignore this email: your password won't change."),
  ],
})

export const changeEmailLetter = (context: LetterContext, token: string): Letter => ({
  subject: 'Confirm your new email',
  parts: [
    text(`Confirm ${context.recipient} as the new email for your account.`),
    action('Confirm email', `${context.publicUrl}/confirm/${token}`),
    text('This link works once and expires in 30 minutes. Until you use it, your account keeps its current email.'),
  ],
})

export const emailChangeAskedLetter = (context: LetterContext, { at, address, newEmail }: MailFacts['email-change-asked']): Letter => ({
  subject: 'Request to change your email',
  parts: [
    text('Someone signed in to your account asked to change its email. Nothing changes until the link we sent to the new address is used.'),
    facts(['When', moment(at)], ['IP address', address ?? 'unknown'], ['New email', newEmail]),
    text("If this wasn't you, choose a new password now. This signs out every device and cancels the change."),
    resetPassword(context),
  ],
})

const connectedProvidersText = (providers: readonly string[], { publicUrl }: LetterContext): string =>
  `You can still sign in with ${providers.join(' and ')}. Disconnect any account you didn't connect yourself in Settings: ${publicUrl}/portal/settings`

export const passwordChangedLetter = (context: LetterContext, { at, address, providers = [] }: MailFacts['password-changed']): Letter => ({
  subject: 'Your password was changed',
  parts: [
    text('The password for your account was changed, and all other devices were signed out.'),
    facts(['When', moment(at)], ['IP address', address ?? 'unknown']),
    ...(providers.length === 0 ? [] : [text(connectedProvidersText(providers, context))]),
    text("If this wasn't you, choose a new password now."),
    resetPassword(context),
  ],
})

export const emailChangedLetter = (_context: LetterContext, { at, newEmail }: MailFacts['email-changed']): Letter => ({
  subject: 'Your email was changed',
  parts: [
    text('Your account has a new email. You can no longer sign in with this address.'),
    facts(['When', moment(at)], ['New email', newEmail]),
    text("If this wasn't you, reply to this email straight away."),
  ],
})

export const newSignInLetter = (context: LetterContext, { at, address, agent }: MailFacts['new-sign-in']): Letter => ({
  subject: 'New sign-in to your account',
  parts: [
    text("Your account was signed in to on a device we haven't seen before."),
    facts(['When', moment(at)], ['IP address', address ?? 'unknown'], ['Browser', agent === '' ? 'unknown' : agent]),
    text("If this wasn't you, choose a new password now. This signs out every device."),
    resetPassword(context),
  ],
})

const secondFactorCopy = {
  on: ['Two-factor sign-in is on', 'Signing in now also needs a code from your authenticator app.'],
  off: ['Two-factor sign-in is off', 'Signing in now needs only your password.'],
  codes: ['Your recovery codes were replaced', 'Your previous recovery codes no longer work.'],
} as const

export const secondFactorLetter = (context: LetterContext, { at, isOn, hasNewCodes }: MailFacts['second-factor-changed']): Letter => {
  const [subject, message] = secondFactorCopy[hasNewCodes ? 'codes' : isOn ? 'on' : 'off']
  return { subject, parts: [text(message), facts(['When', moment(at)]), text("If this wasn't you, choose a new password now."), resetPassword(context)] }
}

export const providerLetter = (context: LetterContext, { at, provider, isConnected }: MailFacts['provider-changed']): Letter => ({
  subject: isConnected ? `${provider} was connected to your account` : `${provider} was disconnected from your account`,
  parts: [
    text(
      isConnected
        ? `You can now sign in with your ${provider} account. To disconnect it, go to Settings.`
        : `You can no longer sign in with ${provider}, and all other devices were signed out.`,
    ),
    facts(['When', moment(at)]),
    text("If this wasn't you, choose a new password now, then check your connected accounts in Settings."),
    resetPassword(context),
  ],
})

export const accountClosedLetter = (_context: LetterContext, { at }: MailFacts['account-closed']): Letter => ({
  subject: 'Your account is closed',
  parts: [
    text('Your account is closed and its keys no longer work.'),
    facts(['When', moment(at)]),
    text("If this wasn't you, reply to this email straight away."),
  ],
})

export const accountApprovedLetter = ({ publicUrl }: LetterContext): Letter => ({
  subject: 'Your account is approved',
  parts: [text('Live keys now work, including any you have already created.'), action('Open your keys', `${publicUrl}/portal/keys`)],
})

export const accountDeclinedLetter = ({ publicUrl }: LetterContext, { reason }: MailFacts['account-declined']): Letter => ({
  subject: "Your account wasn't approved for live keys",
  parts: [
    text("We reviewed your account and didn't approve it for live keys."),
    facts(['Reason', reason]),
    text("Your test keys keep working. If we missed something, reply to this email and we'll look again."),
    action('Open the portal', `${publicUrl}/portal`),
  ],
})
