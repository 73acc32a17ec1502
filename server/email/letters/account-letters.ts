import { starterCredits } from '#server/api/contract/plans.ts'
import { action, facts, type Letter, text } from '../letter.ts'
import type { MailFacts } from '../mail-kinds.ts'

/** What every letter knows beside its facts. */
export type LetterContext = { readonly publicUrl: string; readonly recipient: string }

export const moment = (iso: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(iso)).replace(' at ', ', ')} UTC`

const notYou = ({ publicUrl }: LetterContext) => action('Choose a new password', `${publicUrl}/reset`)

export const confirmLetter = (context: LetterContext, token: string): Letter => ({
  subject: 'Confirm your email',
  parts: [
    text(`Confirm this address to open your account. You get ${starterCredits} credits when you do.`),
    action('Confirm email', `${context.publicUrl}/confirm/${token}`),
    text('The link works once, for 30 minutes. If you did not create an account, do nothing: without your confirmation nobody can use this address.'),
  ],
})

export const knownLetter = (context: LetterContext): Letter => ({
  subject: 'You already have an account',
  parts: [
    text(`Somebody, most likely you, wanted to create an account with ${context.recipient}. There is one already, and it is unchanged.`),
    action('Sign in', `${context.publicUrl}/sign-in`),
    text(`If you have forgotten the password, choose a new one: ${context.publicUrl}/reset`),
  ],
})

export const resetLetter = (context: LetterContext, token: string): Letter => ({
  subject: 'Choose a new password',
  parts: [
    text(`Somebody, most likely you, asked for a new password for ${context.recipient}.`),
    action('Choose a new password', `${context.publicUrl}/reset/${token}`),
    text('The link works once, for 30 minutes. If you did not ask for it, do nothing: your password stays as it is.'),
  ],
})

export const changeEmailLetter = (context: LetterContext, token: string): Letter => ({
  subject: 'Confirm your new email',
  parts: [
    text(`Confirm ${context.recipient} as the new address of your account.`),
    action('Confirm email', `${context.publicUrl}/confirm/${token}`),
    text('The link works once, for 30 minutes. Until then the account keeps its old address.'),
  ],
})

export const emailChangeAskedLetter = (context: LetterContext, { at, address, newEmail }: MailFacts['email-change-asked']): Letter => ({
  subject: 'A new email for your account was asked for',
  parts: [
    text('Somebody who is signed in to your account asked to move it to another address. Nothing changes until the link that we sent there is used.'),
    facts(['When', moment(at)], ['From', address ?? 'unknown address'], ['New address', newEmail]),
    text('If this was not you, choose a new password now. It signs out every device, and the link no longer works.'),
    notYou(context),
  ],
})

const stillIn = (providers: readonly string[], { publicUrl }: LetterContext): string =>
  `${providers.join(' and ')} can be used to sign in as before. Disconnect what you did not connect yourself in Settings: ${publicUrl}/portal/settings`

export const passwordChangedLetter = (context: LetterContext, { at, address, providers = [] }: MailFacts['password-changed']): Letter => ({
  subject: 'Your password was changed',
  parts: [
    text('The password of your account was changed. Every other device has been signed out.'),
    facts(['When', moment(at)], ['From', address ?? 'unknown address']),
    ...(providers.length === 0 ? [] : [text(stillIn(providers, context))]),
    text('If this was not you, choose a new password now.'),
    notYou(context),
  ],
})

export const emailChangedLetter = (_context: LetterContext, { at, newEmail }: MailFacts['email-changed']): Letter => ({
  subject: 'The email of your account was changed',
  parts: [
    text('Your account has a new address. This one no longer signs in.'),
    facts(['When', moment(at)], ['New address', newEmail]),
    text('If this was not you, answer this mail at once.'),
  ],
})

export const newSignInLetter = (context: LetterContext, { at, address, agent }: MailFacts['new-sign-in']): Letter => ({
  subject: 'Signed in on a new device',
  parts: [
    text('Somebody signed in to your account on a device that we have not seen before.'),
    facts(['When', moment(at)], ['From', address ?? 'unknown address'], ['Browser', agent === '' ? 'unknown' : agent]),
    text('If this was not you, choose a new password now. It signs out every device.'),
    notYou(context),
  ],
})

const secondFactorWords = {
  on: ['Two-factor sign-in is on', 'From now on a sign-in needs a code from your app as well.'],
  off: ['Two-factor sign-in is off', 'A sign-in now needs your password only.'],
  codes: ['Your recovery codes were replaced', 'The recovery codes that you had before no longer work.'],
} as const

export const secondFactorLetter = (context: LetterContext, { at, isOn, hasNewCodes }: MailFacts['second-factor-changed']): Letter => {
  const [subject, news] = secondFactorWords[hasNewCodes ? 'codes' : isOn ? 'on' : 'off']
  return { subject, parts: [text(news), facts(['When', moment(at)]), text('If this was not you, choose a new password now.'), notYou(context)] }
}

export const providerLetter = (context: LetterContext, { at, provider, isConnected }: MailFacts['provider-changed']): Letter => ({
  subject: isConnected ? `${provider} can sign in to your account` : `${provider} no longer signs in to your account`,
  parts: [
    text(
      isConnected
        ? `From now on an account at ${provider} signs in to yours as well. You can disconnect it under Settings.`
        : `${provider} was disconnected. Every other device has been signed out.`,
    ),
    facts(['When', moment(at)]),
    text('If this was not you, choose a new password now, then look under Settings.'),
    notYou(context),
  ],
})

export const accountClosedLetter = (_context: LetterContext, { at }: MailFacts['account-closed']): Letter => ({
  subject: 'Your account is closed',
  parts: [text('Your account is closed and its keys no longer work.'), facts(['When', moment(at)]), text('If this was not you, answer this mail at once.')],
})

export const accountApprovedLetter = ({ publicUrl }: LetterContext): Letter => ({
  subject: 'Your live keys work now',
  parts: [
    text('Your account is approved: live keys work from now on, those that you have already as well.'),
    action('Open your keys', `${publicUrl}/portal/keys`),
  ],
})

export const accountDeclinedLetter = ({ publicUrl }: LetterContext, { reason }: MailFacts['account-declined']): Letter => ({
  subject: 'Your account was not approved for live keys',
  parts: [
    text('We have looked at your account and did not approve it for live keys.'),
    facts(['Reason', reason]),
    text('Test keys go on working. If we missed something, answer this mail and we will look again.'),
    action('Open the portal', `${publicUrl}/portal`),
  ],
})
