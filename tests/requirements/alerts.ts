import type { Requirement } from './requirement.ts'

/** Requirements for market alerts. */
export const alerts = {
  'alerts/changes-reported': {
    source: 'PORTAL Pages',
    behaviour: 'An alert on a search reports products that start or stop matching, rate changes of matching products, and withdrawals.',
  },
  'alerts/baseline': { source: 'PORTAL Pages', behaviour: 'A new alert reports only changes after its creation.' },
  'alerts/any-change-at-providers': { source: 'PORTAL Pages', behaviour: 'An alert on providers reports any change to their products, including terms.' },
  'alerts/bank-rate': { source: 'PORTAL Pages', behaviour: 'An alert on Bank Rate reports its changes.' },
  'alerts/exactly-once': { source: 'PORTAL Pages', behaviour: 'Each change is reported once, however many processes evaluate alerts.' },
  'alerts/kill': { source: 'PORTAL Pages', behaviour: 'A change is neither lost nor repeated when a worker is killed while it evaluates.' },
  'alerts/failure-loses-nothing': {
    source: 'PORTAL Pages',
    behaviour: 'If one alert fails, all others are still evaluated, and the failed one reports its changes in the next run.',
  },
  'alerts/limit-by-plan': {
    source: 'SPEC Limits',
    behaviour: 'The number of alerts of an account is limited by its plan, even if alerts are created concurrently.',
  },
  'alerts/immediate-emails-combined': {
    source: 'PORTAL Pages',
    behaviour: 'A member gets at most one immediate email every 15 minutes; further notifications are combined in the next one.',
  },
  'alerts/daily-digest': { source: 'PORTAL Pages', behaviour: 'Daily alerts are combined in one email per member and day, at 08:00 UK time.' },
  'alerts/one-click-unsubscribe': {
    source: 'PORTAL Pages',
    behaviour: 'Each email has a one-click unsubscribe header (RFC 8058). Its signed link works without signing in, and opening it changes nothing.',
  },
  'alerts/webhook-event': {
    source: 'SPEC Events',
    behaviour: 'An alert with webhooks sends alert.matched to subscribed endpoints, free of charge and without rates.',
  },
  'alerts/portal': {
    source: 'PORTAL Pages',
    behaviour: 'Members create, change, pause, resume and delete alerts in the portal, and see how many products currently match.',
  },
  'alerts/blocked-account': {
    source: 'PORTAL Pages',
    behaviour: 'Alerts of a blocked account report nothing. Once it is unblocked, they report only later changes.',
  },
  'alerts/needs-live-access': {
    source: 'PORTAL Pages',
    behaviour:
      'Alerts on the live market report nothing while the account is in review, or after the deadline for accepting a new Data Licence. Afterwards they report only later changes.',
  },
  'alerts/one-failure-blocks-no-other': {
    source: 'PORTAL Pages',
    behaviour: 'If an email cannot be queued, it is retried later, and the emails to all other members are still queued.',
  },
  'alerts/emails-delay-no-others': {
    source: 'PORTAL Pages',
    behaviour: 'Alert emails use the bulk email queue, so that they do not delay sign-in emails.',
  },
  'alerts/changes-limited': {
    source: 'SPEC Limits',
    behaviour: 'An account can make 300 changes to alerts and create 60 webhook endpoints an hour, counted across the portal and the API.',
  },
  'alerts/managed-by-mode': {
    source: 'SPEC Authentication',
    behaviour: 'A test key manages only test alerts, which track the sample market, and a live key only live ones. Emails mark test alerts.',
  },
  'alerts/managed-by-api': {
    source: 'PORTAL Pages',
    behaviour: 'Keys with the scope account:manage list, create, change, pause and delete alerts, for free. Changes are audited with the key.',
  },
} as const satisfies Record<string, Requirement>
