import { fileURLToPath } from 'node:url'

// The same settings as the service, so that only the handlers differ.
/** @type {import('next').NextConfig} */
// biome-ignore lint/style/noDefaultExport: Next reads its settings from the default export.
export default {
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  compress: false,
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
}
