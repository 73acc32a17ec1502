/**
 * Node's HTTP module. An `import` would evaluate all its exports and so load its WebSocket and fetch, which are unused here: that takes 40 ms of a process's
 * start.
 */
export const http = process.getBuiltinModule('node:http')
