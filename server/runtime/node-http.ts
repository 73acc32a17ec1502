/**
 * Node's HTTP module. An `import` would evaluate all its exports, and thereby load WebSocket and fetch, which are unused here and would delay the start of each
 * process by 40 ms.
 */
export const http = process.getBuiltinModule('node:http')
