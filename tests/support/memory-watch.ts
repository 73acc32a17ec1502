/** What a process holds after everything that nobody needs was thrown away, in bytes. */
export type MemoryNow = { readonly rss: number; readonly heapUsed: number; readonly external: number }

/** What a process has to be started with to be watched. */
export const watchable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

type Reply = { readonly id?: number; readonly result?: { readonly result?: { readonly value?: unknown } } }

/** Looks into the memory of a process over its inspector, so that nothing has to be built into it for that. */
export class MemoryWatch {
  private readonly socket: WebSocket
  private readonly waiting = new Map<number, (reply: Reply) => void>()
  private sent = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.onmessage = ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply
      this.waiting.get(reply.id ?? 0)?.(reply)
      this.waiting.delete(reply.id ?? 0)
    }
  }

  /** `log` is what the process wrote to standard error, where its inspector says where it is. */
  static async open(log: string): Promise<MemoryWatch> {
    const address = /ws:\/\/\S+/.exec(log)?.[0]
    if (address === undefined) throw new Error('The process was not started with an inspector.')
    const socket = new WebSocket(address)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error('The inspector does not answer.'))
    })
    return new MemoryWatch(socket)
  }

  async now(): Promise<MemoryNow> {
    // What only a first collection sets free is collected by the second.
    for (let times = 0; times < 2; times++) await this.ask('HeapProfiler.collectGarbage')
    const { result } = await this.ask('Runtime.evaluate', { expression: 'process.memoryUsage()', returnByValue: true })
    return result?.result?.value as MemoryNow
  }

  close(): void {
    this.socket.close()
  }

  private ask(method: string, params: object = {}): Promise<Reply> {
    const id = ++this.sent
    this.socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => this.waiting.set(id, resolve))
  }
}
