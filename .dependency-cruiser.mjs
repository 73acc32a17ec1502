/** Import rules between modules. Every violation is an error; there is no baseline of known violations. */
const inModule = (name) => `^server/${name}/`
const inModules = (...names) => `^server/(${names.join('|')})/`
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
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^app/', '\\.(test|spec)\\.ts$', 'config', '^tests/requirements/', '^bench/next-bare/'] },
      to: {},
    },
    { name: 'app-is-a-leaf', severity: 'error', from: { pathNot: '^app/' }, to: { path: '^app/' } },
    { name: 'tests-are-leaves', severity: 'error', from: { pathNot: '^(tests|e2e|bench)/' }, to: { path: '^(tests|e2e|bench)/' } },
    only('contract-is-pure', inModule('api/contract'), '^server/api/contract/'),
    {
      name: 'contract-knows-zod-only',
      severity: 'error',
      from: { path: inModule('api/contract') },
      to: { path: 'node_modules', pathNot: 'node_modules/zod/' },
    },
    only('endpoints', inModule('api/endpoints'), '^server/((api/contract|market|api/endpoints)/|clock)'),
    { name: 'endpoints-stand-alone', severity: 'error', from: { path: '\\.endpoint\\.ts$' }, to: { path: '\\.endpoint\\.ts$' } },
    only('market', inModule('market'), '^server/((api/contract|db|market)/|clock|accounts/audit\\.ts)'),
    only('accounts', inModule('accounts'), '^server/((api/contract|db|accounts)/|clock|ids|observability/log)'),
    only('keys', inModule('keys'), '^server/((api/contract|db|accounts|keys)/|clock|ids|observability/log)'),
    only(
      'admin-changelog',
      inModule('admin/changelog'),
      '^server/((api/contract|db|accounts|admin/changelog)/|clock|ids|observability/log|metering/service-state)',
    ),
    only('billing', inModule('billing'), '^server/((api/contract|db|accounts|billing)/|clock|ids|observability/log)'),
    only('telemetry', inModule('observability/telemetry'), inModule('observability/telemetry')),
    only(
      'observability',
      inModule('observability'),
      '^server/((api/contract|db|observability/telemetry|billing|jobs|email|webhooks|market|api/pipeline|observability)/|runtime/(loopback|release|service)|clock|ids)',
    ),
    only('metering', inModule('metering'), '^server/((api/contract|db|accounts|observability/telemetry|metering)/|clock|ids|observability/log)'),
    only(
      'webhooks',
      inModule('webhooks'),
      '^server/((api/contract|db|accounts|observability/telemetry|webhooks)/|clock|runtime/node-http|ids|observability/log)',
    ),
    only('alerts', inModule('alerts'), '^server/((api/contract|db|accounts|market|email|webhooks|alerts)/|clock|ids|observability/log)'),
    only('email', inModule('email'), '^server/((api/contract|db|email)/|clock|ids|observability/log)'),
    only('status', inModule('status'), '^server/((api/contract|db|accounts|keys|email|auth|status)/|clock|ids|observability/log|metering/service-state)'),
    only(
      'admin-publishing',
      inModule('admin/publishing'),
      '^server/((api/contract|db|accounts|keys|metering|admin/changelog|email|api/documents|admin/publishing)/|clock|ids|observability/log)',
    ),
    only('admin-review', inModule('admin/review'), '^server/((api/contract|db|accounts|keys|metering|email|admin/review)/|clock|ids|observability/log)'),
    only(
      'auth',
      inModule('auth'),
      '^server/((api/contract|db|accounts|keys|email|auth)/|api/http/peer|clock|env|ids|observability/log|runtime/(next-service|service-slot))',
    ),
    only(
      'self-service',
      inModule('self-service'),
      '^server/((api/contract|db|accounts|keys|billing|email|auth|status|self-service)/|webhooks/(reach|webhook-deps)|runtime/(node-http|loopback)|clock|ids|observability/log)',
    ),
    only('support', inModule('support'), '^server/((api/contract|db|accounts|email|support)/|clock|ids)'),
    only('admin-view-as', inModule('admin/view-as'), '^server/((api/contract|db|accounts|auth|admin/view-as)/|clock)'),
    only(
      'trpc',
      inModule('trpc'),
      '^server/((api/contract|db|accounts|keys|billing|metering|market|alerts|webhooks|email|support|admin/review|admin/changelog|admin/publishing|admin/view-as|api/documents|auth|self-service|status|trpc)/|clock|ids|observability/log)',
    ),
    only(
      'pipeline',
      inModule('api/pipeline'),
      '^server/((api/contract|keys|accounts|metering|market|observability/telemetry|api/pipeline)/|db/prisma|clock|ids|observability/log)',
    ),
    only(
      'http',
      inModule('api/http'),
      '^server/((api/contract|api/endpoints|api/pipeline|api/documents|observability/telemetry|api/http)/|keys/address-list|runtime/(service|node-http|loopback)|observability/(health|log)|clock|ids|api/published-documents)',
    ),
    only('documents', inModule('api/documents'), inModules('api/contract', 'api/endpoints', 'api/documents')),
    only('db', inModule('db'), inModule('db')),
    only('backup', inModule('backup'), '^server/((db|backup)/|billing/ledger\\.ts)'),
    // Commands and jobs may import every module except the API's request path.
    only('cli-and-jobs', inModules('cli', 'jobs'), '^server/(?!api/(pipeline|http|endpoints)/|trpc/)'),
    {
      name: 'processes-are-on-top',
      severity: 'error',
      from: { path: '^(server|app|components)/', pathNot: '^server/(runtime/processes/|main\\.ts|env\\.ts)' },
      to: { path: '^server/runtime/processes/' },
    },
    only('app', '^app/', '^(app|components|server/(api/http|trpc|api/documents|auth|self-service|api/contract)/|server/runtime/next-service|server/pages/)'),
    only(
      'pages',
      inModule('pages'),
      '^(components|server/(api/http|trpc|api/documents|auth|admin/view-as|api/contract|status|pages)/|server/runtime/next-service|components/)',
    ),
    // The client is a separate package. It depends on no other package and no particular platform; its API types are generated from the OpenAPI document.
    only('client', '^client/', '^client/'),
    { name: 'client-depends-on-nothing', severity: 'error', from: { path: '^client/' }, to: { path: 'node_modules', pathNot: '^client/' } },
    { name: 'client-runs-anywhere', severity: 'error', from: { path: '^client/src/', pathNot: '^client/src/cli/' }, to: { dependencyTypes: ['core'] } },
    { name: 'client-is-for-callers', severity: 'error', from: { path: '^(app|components|server|bench)/' }, to: { path: '^client/' } },
    only('components', '^components/', '^(components/|server/api/contract/|server/trpc/(?:root|transformer)\\.ts$)'),
    {
      name: 'components-know-the-router-as-a-type',
      severity: 'error',
      from: { path: '^components/' },
      to: { path: '^server/trpc/', pathNot: '^server/trpc/transformer\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-sql-files-use-the-driver',
      severity: 'error',
      from: { path: '^(server|app)/', pathNot: ['\\.sql\\.ts$', '^server/(db/|runtime/database\\.ts)'] },
      to: { path: 'node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sql-files-belong-to-their-module',
      severity: 'error',
      from: { path: '^(?:server/(?!runtime/|trpc/|observability/)([^/]+)/|app/|components/)' },
      to: { path: '^server/(?!db/|accounts/)[^/]+/.*\\.sql\\.ts$', pathNot: '^server/$1/' },
    },
    {
      name: 'telemetry-packages-in-observability-only',
      severity: 'error',
      from: { pathNot: '^(server/observability|tests)/' },
      to: { path: 'node_modules/(@opentelemetry|prom-client)/' },
    },
    { name: 'stripe-in-billing-only', severity: 'error', from: { pathNot: '^(server/billing|tests)/' }, to: { path: 'node_modules/stripe/' } },
    {
      name: 'tool-server-sdk-in-http-only',
      severity: 'error',
      from: { pathNot: '^(server/api/http/mcp|tests/)' },
      to: { path: 'node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'next-in-app-auth-and-portal-only',
      severity: 'error',
      from: { path: '^(server|components)/', pathNot: '^server/(auth/|pages/|runtime/portal\\.ts)' },
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
