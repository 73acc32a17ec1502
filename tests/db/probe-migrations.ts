/** One migration of each kind that future releases may need, to be applied to a running service. */
export const probes: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: '29990101000100_probe_column',
    sql: "ALTER TABLE wallet ADD COLUMN probe int NOT NULL DEFAULT 7;\nALTER TABLE account ADD COLUMN probe text NOT NULL DEFAULT 'none';",
  },
  { name: '29990101000200_probe_index', sql: '-- Built concurrently.\nCREATE INDEX CONCURRENTLY probe_entry_at ON ledger_entry (at);' },
  { name: '29990101000300_probe_constraint', sql: 'ALTER TABLE api_key ADD CONSTRAINT probe_name CHECK (length(name) < 1000) NOT VALID;' },
  { name: '29990101000400_probe_validated', sql: 'ALTER TABLE api_key VALIDATE CONSTRAINT probe_name;' },
  { name: '29990101000500_probe_table', sql: 'CREATE TABLE probe (id bigint PRIMARY KEY, note text NOT NULL);\nCREATE INDEX probe_note ON probe (note);' },
]
