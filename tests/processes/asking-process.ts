import cluster from 'node:cluster'
import { answerTo, askAll, reachOthers } from '#server/runtime/processes/ask-all.ts'
import { joinWorkerPool } from '#server/runtime/processes/join-worker-pool.ts'
import { notifyFirst } from '#server/runtime/processes/messages.ts'
import { askWorkers, startWorker } from '#server/runtime/processes/worker-pool.ts'

/** Runs a service of three processes that only query each other. The first one prints the answers received by it and by one of its children. */
async function beFirst(): Promise<void> {
  reachOthers((question, detail, withinMs) => askWorkers(question, detail, withinMs))
  answerTo('who', (detail) => `first ${detail}`)
  const never = () => {
    throw new Error('Nobody asks what it is.')
  }
  const children = [startWorker(never), startWorker(never)]
  await Promise.all(children.map(({ ready }) => ready))
  const heard = { who: await askAll('who', 'you'), nobody: await askAll('nobody knows'), fault: await askAll('fault'), late: await askAll('late', null, 50) }
  process.stdout.write(JSON.stringify({ heard, byChildren: await askAll('what do you hear', null, 5_000) }))
  for (const child of children) child.kill()
  await Promise.all(children.map(({ gone }) => gone))
}

function beWorker(): void {
  joinWorkerPool()
  answerTo('who', (detail) => `child ${detail}`)
  answerTo('fault', () => {
    throw new Error('This cannot be answered.')
  })
  answerTo('late', () => new Promise(() => undefined))
  answerTo('what do you hear', () => askAll('who', 'there'))
  notifyFirst({ svc: 'ready', port: 0 })
}

if (cluster.isWorker) beWorker()
else await beFirst()
