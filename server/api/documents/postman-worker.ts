import { parentPort, workerData } from 'node:worker_threads'
import { postmanText } from './postman.ts'

/** Builds the collection in a worker thread, because it takes half a second and must not block API calls. */
parentPort?.postMessage(await postmanText(String(workerData)))
