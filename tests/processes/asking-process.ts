import cluster from 'node:cluster'
import { answerTo, askAll, notifyFirst, reachOthers } from '#server/runtime/processes/messages.ts'
import { askWorkers, joinWorkerPool, startWorker } from '#server/runtime/processes/worker-pool.ts'

/** Runs a primary process and two workers that only query each other. The primary prints the answers that it and the workers received. */
async function beFirst(): Promise<void> {
  reachOthers((question, detail, withinMs) => askWorkers(question, detail, withinMs))
  answerTo('who', (detail) => `first ${detail}`)
  const never = () => {
    throw new Error('Unexpected config request.')
  }
  const workers = [startWorker(never), startWorker(never)]
  await Promise.all(workers.map(({ ready }) => ready))
  const received = { who: await askAll('who', 'you'), unknown: await askAll('unknown'), fault: await askAll('fault'), late: await askAll('late', null, 50) }
  process.stdout.write(JSON.stringify({ received, byChildren: await askAll('relay', null, 5_000) }))
  for (const child of workers) child.kill()
  await Promise.all(workers.map(({ gone }) => gone))
}

function beWorker(): void {
  joinWorkerPool()
  answerTo('who', (detail) => `child ${detail}`)
  answerTo('fault', () => {
    throw new Error('Test failure.')
  })
  answerTo('late', () => new Promise(() => undefined))
  answerTo('relay', () => askAll('who', 'there'))
  notifyFirst({ svc: 'ready', port: 0 })
}

if (cluster.isWorker) beWorker()
else await beFirst()
