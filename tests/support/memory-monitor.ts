/** Memory of a process after garbage collection, in bytes. */
export type MemoryNow = { readonly rss: number; readonly heapUsed: number; readonly external: number }

/** Environment variables that open the inspector of a process, so that its memory can be measured. */
export const watchable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

type Reply = { readonly id?: number; readonly result?: { readonly result?: { readonly value?: unknown } } }

/** Measures the memory of a process through the Node inspector, which requires no code in the process. */
export class MemoryMonitor {
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

  /** Connects to the inspector. `log` is the standard error of the process, which contains the address. */
  static async open(log: string): Promise<MemoryMonitor> {
    const address = /ws:\/\/\S+/.exec(log)?.[0]
    if (address === undefined) throw new Error('The process was not started with an inspector.')
    const socket = new WebSocket(address)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error('The inspector does not respond.'))
    })
    return new MemoryMonitor(socket)
  }

  async now(): Promise<MemoryNow> {
    // A second collection frees objects that the first one made unreachable.
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
