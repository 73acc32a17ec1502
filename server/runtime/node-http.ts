/**
 * Node's HTTP module. An `import` would evaluate all its exports and so load WebSocket and fetch, which are unused here and would delay each process's start
 * by 40 ms.
 */
export const http = process.getBuiltinModule('node:http')
