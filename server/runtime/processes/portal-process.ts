import { randomBytes } from 'node:crypto'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { reachOthers } from './ask-all.ts'
import { askChildren, startChild } from './family.ts'
import { HandOn } from './hand-on.ts'
import { Post } from './post.ts'

const endTimeoutMs = 4_000

/** True if the portal gets a process of its own. Hot reload needs one process that everything passes through. */
export const hasPortalProcess = ({ roles, isDevelopment }: Env): boolean => roles.has('gateway') && roles.has('portal') && !isDevelopment

/**
 * Runs the portal in a child process, so that rendering pages never occupies the event loop that answers calls of the API. The child is started again when
 * it ends, and leaves when this process is gone.
 */
export class PortalProcess {
  readonly pages: HandOn
  private readonly post: Post
  private readonly port = Promise.withResolvers<number>()

  constructor(databaseUrl: string, secret: string, log: Log) {
    const token = randomBytes(32).toString('hex')
    this.pages = new HandOn(token, null, log)
    const assignment = async () =>
      ({ part: 'portal', databaseUrl, secret, token, port: await this.port.promise, pagesPort: null, pagesListened: false }) as const
    this.post = new Post(
      'portal',
      () => startChild(assignment),
      log,
      async (port) => {
        this.pages.port = port
      },
    )
    reachOthers((question, detail, withinMs) => askChildren(question, detail, withinMs))
  }

  /** Rejects when the portal cannot be kept running. */
  get lost(): Promise<never> {
    return this.post.lost
  }

  /** Starts the child, which serves once it is told where the service listens. Resolves when it does. */
  start(): Promise<number> {
    return this.post.fill()
  }

  /** Says where the whole service listens. */
  listensAt(port: number): void {
    this.port.resolve(port)
  }

  close(): Promise<void> {
    return this.post.end({ drainMs: null, lingerMs: 0, withinMs: endTimeoutMs })
  }

  kill(): void {
    this.post.kill()
  }
}
