import { Worker } from 'node:worker_threads'

const timeoutMs = 60_000

/** Builds the Postman collection in a worker thread. @throws if the thread fails or times out. */
export function postmanInThread(openApi: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./postman-worker.ts', import.meta.url), { workerData: openApi })
    const timer = setTimeout(() => {
      reject(new Error(`Building the Postman collection took longer than ${timeoutMs} ms.`))
      void worker.terminate()
    }, timeoutMs)
    worker.once('message', (text: string) => resolve(text))
    worker.once('error', reject)
    worker.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The Postman worker thread exited with code ${code}.`))
    })
  })
}
