import { starterCredits } from '#server/api/contract/access.ts'
import type { EmailData } from '../email-content.ts'
import { action, type EmailContent, facts, message, text } from '../email-content.ts'

/** Values that every email template gets in addition to the email's stored data. */
export type EmailContext = { readonly publicUrl: string; readonly recipient: string }

export const moment = (iso: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(iso)).replace(' at ', ', ')} UTC`

const resetPassword = ({ publicUrl }: EmailContext) => action('Choose a new password', `${publicUrl}/reset`)

export const confirmEmail = (context: EmailContext, token: string): EmailContent =>
  message(
    'Confirm your email',
    text(`Confirm your email to open your account. You'll get ${starterCredits} credits to start with.`),
    action('Confirm email', `${context.publicUrl}/confirm/${token}`),
    text(
      "This link works once and expires in 30 minutes. If you didn't create an account, ignore this email: no one can use this address until it is confirmed.",
    ),
  )

export const knownEmail = (context: EmailContext): EmailContent =>
  message(
    'You already have an account',
    text(
      `Someone, probably you, tried to create another account with ${context.recipient}. You already have an account with this address, and nothing has changed.`,
    ),
    action('Sign in', `${context.publicUrl}/sign-in`),
    text(`Forgotten your password? Choose a new one: ${context.publicUrl}/reset`),
  )

export const resetEmail = (context: EmailContext, token: string): EmailContent =>
  message(
    'Reset your password',
    text(`We received a request to reset the password for ${context.recipient}.`),
    action('Choose a new password', `${context.publicUrl}/reset/${token}`),
    text("This link works once and expires in 30 minutes. If you didn't request it, ignore this email: your password won't change."),
  )

export const changeEmailEmail = (context: EmailContext, token: string): EmailContent =>
  message(
    'Confirm your new email',
    text(`Confirm ${context.recipient} as the new email for your account.`),
    action('Confirm email', `${context.publicUrl}/confirm/${token}`),
    text('This link works once and expires in 30 minutes. Until you use it, your account keeps its current email.'),
  )

export const emailChangeRequestedEmail = (context: EmailContext, { at, address, newEmail }: EmailData['email-change-asked']): EmailContent =>
  message(
    'Request to change your email',
    text('Someone who is signed in to your account asked to change its email address. Nothing changes until they open the link we sent to the new address.'),
    facts(['When', moment(at)], ['IP address', address ?? 'unknown'], ['New email', newEmail]),
    text("If this wasn't you, choose a new password now. This signs out every device and cancels the change."),
    resetPassword(context),
  )

const connectedProvidersText = (providers: readonly string[], { publicUrl }: EmailContext): string =>
  `You can still sign in with ${providers.join(' and ')}. In Settings, disconnect any account you didn't connect yourself: ${publicUrl}/portal/settings/security`

export const passwordChangedEmail = (context: EmailContext, { at, address, providers = [] }: EmailData['password-changed']): EmailContent =>
  message(
    'Your password was changed',
    text('The password for your account was changed, and all other devices were signed out.'),
    facts(['When', moment(at)], ['IP address', address ?? 'unknown']),
    ...(providers.length === 0 ? [] : [text(connectedProvidersText(providers, context))]),
    text("If this wasn't you, choose a new password now."),
    resetPassword(context),
  )

export const emailChangedEmail = (_context: EmailContext, { at, newEmail }: EmailData['email-changed']): EmailContent =>
  message(
    'Your email address was changed',
    text('Your account has a new email address. You can no longer sign in with this one.'),
    facts(['When', moment(at)], ['New email', newEmail]),
    text("If this wasn't you, reply to this email straight away."),
  )

export const newSignInEmail = (context: EmailContext, { at, address, agent }: EmailData['new-sign-in']): EmailContent =>
  message(
    'New sign-in to your account',
    text("Someone signed in to your account on a device we haven't seen before."),
    facts(['When', moment(at)], ['IP address', address ?? 'unknown'], ['Browser', agent === '' ? 'unknown' : agent]),
    text("If this wasn't you, choose a new password now. This signs out every device."),
    resetPassword(context),
  )

const secondFactorCopy = {
  on: ['Two-factor sign-in is on', 'To sign in, you now also need a code from your authenticator app.'],
  off: ['Two-factor sign-in is off', 'You no longer need a code to sign in.'],
  codes: ['Your recovery codes were replaced', 'Your previous recovery codes no longer work.'],
} as const

export const secondFactorEmail = (context: EmailContext, { at, isOn, hasNewCodes }: EmailData['second-factor-changed']): EmailContent => {
  const [subject, change] = secondFactorCopy[hasNewCodes ? 'codes' : isOn ? 'on' : 'off']
  return message(subject, text(change), facts(['When', moment(at)]), text("If this wasn't you, choose a new password now."), resetPassword(context))
}

/**
 * Returns the name of an identity provider: for an email's subject, and to follow "sign in with". An organisation without a name is called `single sign-on`.
 */
function providerNames({ provider, isOrganisation = false }: EmailData['provider-changed']): readonly [subject: string, name: string] {
  if (!isOrganisation) return [provider, `your ${provider} account`]
  return ['Single sign-on', provider === 'single sign-on' ? provider : `${provider}'s single sign-on`]
}

export function providerEmail(context: EmailContext, data: EmailData['provider-changed']): EmailContent {
  const [subject, name] = providerNames(data)
  return message(
    data.isConnected ? `${subject} was connected to your account` : `${subject} was disconnected from your account`,
    text(
      data.isConnected
        ? `You can now sign in with ${name}. To disconnect it, go to Settings.`
        : `You can no longer sign in with ${name}, and all other devices were signed out.`,
    ),
    facts(['When', moment(data.at)]),
    text("If this wasn't you, choose a new password now, then check your connected accounts in Settings."),
    resetPassword(context),
  )
}

export const accountClosedEmail = (_context: EmailContext, { at }: EmailData['account-closed']): EmailContent =>
  message(
    'Your account is closed',
    text('Your account is closed and its keys no longer work.'),
    facts(['When', moment(at)]),
    text("If this wasn't you, reply to this email straight away."),
  )

export const accountApprovedEmail = ({ publicUrl }: EmailContext): EmailContent =>
  message('Your account is approved', text('Live keys now work, including any you have already created.'), action('Open your keys', `${publicUrl}/portal/keys`))

export const accountDeclinedEmail = ({ publicUrl }: EmailContext, { reason }: EmailData['account-declined']): EmailContent =>
  message(
    "Your account wasn't approved for live keys",
    text("We reviewed your account and didn't approve it for live keys."),
    facts(['Reason', reason]),
    text("Your test keys keep working. If we missed something, reply to this email and we'll look again."),
    action('Open the portal', `${publicUrl}/portal`),
  )

export const accountBlockedEmail = ({ publicUrl }: EmailContext, { reason }: EmailData['account-blocked']): EmailContent =>
  message(
    'Your account is blocked',
    text("We've blocked your account, and calls with its keys are rejected."),
    ...(reason === null ? [] : [facts(['Reason', reason])]),
    text('If you think this is a mistake, or want the block lifted, reply to this email.'),
    action('Open the portal', `${publicUrl}/portal`),
  )

export const accountUnblockedEmail = ({ publicUrl }: EmailContext): EmailContent =>
  message(
    'Your account is no longer blocked',
    text('The block on your account has been lifted. Your keys work as before.'),
    action('Open the portal', `${publicUrl}/portal`),
  )
