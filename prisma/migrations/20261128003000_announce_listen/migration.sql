-- Announces the management of webhooks and alerts by API, and the forwarding of events, on the changelog page.
INSERT INTO "changelog_entry" ("public_id", "published_at", "kind", "title", "body", "endpoint_ids") VALUES
  ('2026-11-28-manage-by-api', '2026-11-28T00:30:00Z', 'added', 'Manage webhooks and alerts by API',
   E'Keys with the new scope `account:manage` create, change and delete webhook endpoints and market alerts, and list and repeat deliveries. The calls are free. Live keys manage what the portal shows. Test keys manage their own test endpoints and test alerts.\n\nThe scope is never granted by default: see [Authentication](/docs/authentication#scopes).',
   '{webhooks.create,webhooks.deliveries,alerts.create}'),
  ('2026-11-28-listen', '2026-11-28T00:31:00Z', 'added', 'Forward webhook events to your own machine',
   E'`savings-rates listen --forward http://localhost:4000/hook` forwards the events of your webhook endpoints to a server without a public URL, signed like the originals, for free. With `--sample all`, it forwards an example of each event type. See [Webhooks](/docs/webhooks#test-on-your-own-machine).\n\nPrograms read the same events with `GET /webhook-events` and `GET /webhook-samples`.',
   '{webhooks.events,webhooks.samples}')
ON CONFLICT DO NOTHING;
