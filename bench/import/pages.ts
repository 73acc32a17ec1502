import { Agent, request } from 'node:http'

/** Requests one target and returns its status. */
function read(port: number, path: string, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/**
 * Requests each target once, so that every page has to be built, over `connections` connections. Returns the seconds it took.
 * @throws if a response is not a 200.
 */
export async function readOnce(port: number, targets: readonly string[], key: string, connections: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const queue = [...targets]
  const from = performance.now()
  const worker = async () => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const status = await read(port, path, key, agent)
      if (status !== 200) throw new Error(`${path} returned ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - from) / 1000
  agent.destroy()
  return seconds
}
