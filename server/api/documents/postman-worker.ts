import { parentPort, workerData } from 'node:worker_threads'
import { postmanText } from './postman.ts'

/** Makes the collection in a thread of its own: half a second of work that no call of the API should wait behind. */
parentPort?.postMessage(await postmanText(String(workerData)))
