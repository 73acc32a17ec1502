import type { AlertDeps } from '#server/alerts/alert-deps.ts'
import { evaluateAlerts } from '#server/alerts/evaluate.ts'
import { forgetAlerts, nextAlertEmailAt, queueAlertEmails } from '#server/alerts/queue-emails.ts'
import type { Job } from './runner.ts'

/** Jobs of market alerts. Triggers send them when the market or an alert changes, and when an evaluation stores a notification. */
export const marketAlertJobs = (deps: AlertDeps): Job[] => [
  { name: 'alerts.evaluate', everyMinutes: 60, run: (_pool, signal) => evaluateAlerts(deps, signal) },
  { name: 'alerts.email', everyMinutes: 60, run: (_pool, signal) => queueAlertEmails(deps, signal), nextAt: nextAlertEmailAt },
  { name: 'alerts.tidy', everyMinutes: 60, run: forgetAlerts },
]
