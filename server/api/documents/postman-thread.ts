import { Worker } from 'node:worker_threads'

const withinMs = 60_000

/** Makes the Postman collection beside the thread that serves calls. @throws when the thread fails or takes too long. */
export function postmanInThread(openApi: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./postman-worker.ts', import.meta.url), { workerData: openApi })
    const timer = setTimeout(() => {
      reject(new Error(`The Postman collection was not made within ${withinMs} ms.`))
      void worker.terminate()
    }, withinMs)
    worker.once('message', (text: string) => resolve(text))
    worker.once('error', reject)
    worker.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The thread that makes the Postman collection ended with ${code}.`))
    })
  })
}
