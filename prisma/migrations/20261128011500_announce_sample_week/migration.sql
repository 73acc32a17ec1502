-- Announces the moving sample market on the changelog page.
INSERT INTO "changelog_entry" ("public_id", "published_at", "kind", "title", "body", "endpoint_ids") VALUES
  ('2026-11-28-sample-week', '2026-11-28T01:15:00Z', 'added', 'The sample market changes every day',
   E'The market that test keys read now changes every day at midnight UTC, in a cycle of one week: one product is added, one is withdrawn and two change. Build and test a copy with `updatedSince`, withdrawn rows, history and snapshots before you pay for anything.\n\nWebhook endpoints created with a test key get these changes as events, free of charge. The [data guide](/docs/data#sample-data) lists the changes of each weekday.',
   '{rates.list,history.list,webhooks.create}')
ON CONFLICT DO NOTHING;
