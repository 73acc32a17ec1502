/** Who may import whom. Every rule is an error, and there is no baseline. */
const room = (name) => `^server/${name}/`
const rooms = (...names) => `^server/(${names.join('|')})/`
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(app|components|server|client|tests|e2e|bench)/', pathNot: allowed },
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^app/', '\\.test\\.ts$', 'config', '^tests/requirements/', '^bench/next-bare/'] },
      to: {},
    },
    { name: 'app-is-a-leaf', severity: 'error', from: { pathNot: '^app/' }, to: { path: '^app/' } },
    { name: 'tests-are-leaves', severity: 'error', from: { pathNot: '^(tests|e2e|bench)/' }, to: { path: '^(tests|e2e|bench)/' } },
    only('contract-is-pure', room('contract'), '^server/contract/'),
    { name: 'contract-knows-zod-only', severity: 'error', from: { path: room('contract') }, to: { path: 'node_modules', pathNot: 'node_modules/zod/' } },
    only('endpoints', room('endpoints'), '^server/((contract|market|endpoints)/|clock)'),
    { name: 'endpoints-stand-alone', severity: 'error', from: { path: '\\.endpoint\\.ts$' }, to: { path: '\\.endpoint\\.ts$' } },
    only('market', room('market'), '^server/((contract|db|market)/|accounts/audit\\.ts)'),
    only('accounts', room('accounts'), '^server/((contract|db|accounts)/|clock|ids|log)'),
    only('keys', room('keys'), '^server/((contract|db|accounts|keys)/|clock|ids|log)'),
    only('changelog', room('changelog'), '^server/((contract|db|accounts|changelog)/|clock|ids|log)'),
    only('billing', room('billing'), '^server/((contract|db|accounts|billing)/|clock|ids|log)'),
    only('tally', room('tally'), room('tally')),
    only(
      'watch',
      room('watch'),
      '^server/((contract|db|tally|billing|jobs|mail|webhooks|market|gate|watch)/|processes/ask-all|clock|ids|log|loopback|release|service)',
    ),
    only('metering', room('metering'), '^server/((contract|db|accounts|tally|metering)/|clock|ids|log)'),
    only('webhooks', room('webhooks'), '^server/((contract|db|accounts|tally|webhooks)/|auth/seal|clock|http|ids|log)'),
    only('mail', room('mail'), '^server/((contract|db|mail)/|clock|ids|log)'),
    only('announce', room('announce'), '^server/((contract|db|accounts|keys|metering|changelog|mail|publish|announce)/|clock|ids|log)'),
    only('review', room('review'), '^server/((contract|db|accounts|keys|metering|mail|review)/|clock|ids|log)'),
    only('auth', room('auth'), '^server/((contract|db|accounts|keys|billing|mail|auth)/|transports/peer|clock|env|ids|log|next-service|service-slot)'),
    only(
      'trpc',
      room('trpc'),
      '^server/((contract|db|accounts|keys|billing|metering|market|webhooks|mail|review|changelog|announce|publish|auth|trpc)/|clock|ids|log)',
    ),
    only('gate', room('gate'), '^server/((contract|keys|accounts|metering|market|tally|gate)/|clock|ids|log)'),
    only(
      'transports',
      room('transports'),
      '^server/((contract|endpoints|gate|publish|tally|transports)/|keys/address-list|service|health|http|ids|log|loopback)',
    ),
    only('publish', room('publish'), rooms('contract', 'endpoints', 'publish')),
    only('db', room('db'), room('db')),
    only('backup', room('backup'), '^server/((db|backup)/|billing/ledger\\.ts)'),
    // An operator's command and a job work with every room, but a call of the API goes through the gate alone.
    only('cli-and-jobs', rooms('cli', 'jobs'), '^server/(?!gate/|transports/|endpoints/|trpc/)'),
    {
      name: 'processes-are-on-top',
      severity: 'error',
      from: { path: '^(server|app|components)/', pathNot: '^server/(processes/|main\\.ts|env\\.ts)' },
      to: { path: '^server/processes/', pathNot: '^server/processes/ask-all\\.ts$' },
    },
    only('app', '^app/', '^(app|components|server/(transports|trpc|publish|auth|contract)/|server/next-service)'),
    // The client is a package of its own: it knows nothing of the service but the types made from its document, and needs no package and no platform.
    only('client', '^client/', '^client/'),
    { name: 'client-depends-on-nothing', severity: 'error', from: { path: '^client/' }, to: { path: 'node_modules', pathNot: '^client/' } },
    { name: 'client-runs-anywhere', severity: 'error', from: { path: '^client/' }, to: { dependencyTypes: ['core'] } },
    { name: 'client-is-for-callers', severity: 'error', from: { path: '^(app|components|server|bench)/' }, to: { path: '^client/' } },
    only('components', '^components/', '^(components/|server/contract/|server/trpc/root\\.ts$)'),
    {
      name: 'components-know-the-router-as-a-type',
      severity: 'error',
      from: { path: '^components/' },
      to: { path: '^server/trpc/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-stores-touch-the-database',
      severity: 'error',
      from: { path: '^(server|app)/', pathNot: ['\\.store\\.ts$', '^server/db/'] },
      to: { path: ['node_modules/pg/', '^server/db/(client|generated)'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'stores-belong-to-their-room',
      severity: 'error',
      from: { path: '^(?:server/([^/]+)/|app/|components/)' },
      to: { path: '^server/[^/]+/.*\\.store\\.ts$', pathNot: '^server/$1/' },
    },
    {
      name: 'telemetry-in-watch-only',
      severity: 'error',
      from: { pathNot: '^(server/watch|tests)/' },
      to: { path: 'node_modules/(@opentelemetry|prom-client)/' },
    },
    { name: 'stripe-in-billing-only', severity: 'error', from: { pathNot: '^(server/billing|tests)/' }, to: { path: 'node_modules/stripe/' } },
    {
      name: 'tool-server-sdk-in-transports-only',
      severity: 'error',
      from: { pathNot: '^(server/transports/mcp|tests/)' },
      to: { path: 'node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'next-in-app-auth-and-portal-only',
      severity: 'error',
      from: { path: '^(server|components)/', pathNot: '^server/(auth/|portal\\.ts)' },
      to: { path: 'node_modules/next/' },
    },
    { name: 'no-unlisted-packages', severity: 'error', from: {}, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-packages',
      severity: 'error',
      from: { path: '^(app|components|server)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^server/db/generated'] },
    exclude: { path: '^client/dist/|next-env\\.d\\.ts$|(^|/)\\.next/|^server/db/generated' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
