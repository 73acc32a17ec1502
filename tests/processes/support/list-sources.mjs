// Loaded before the service with `node --import`. On exit, writes the URL and size of each source that the service has loaded to SOURCES_FILE.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const sources = []

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (loaded.source) sources.push({ url, bytes: loaded.source.length })
    return loaded
  },
})

process.once('exit', () => writeFileSync(process.env.SOURCES_FILE, JSON.stringify(sources)))
