/**
 * Node's HTTP. An `import` of it would read everything that it exports, and so load its WebSocket and fetch, which nobody here uses: forty of the
 * milliseconds that a process needs to start.
 */
export const http = process.getBuiltinModule('node:http')
