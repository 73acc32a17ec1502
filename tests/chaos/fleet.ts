import { type Mount, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { whenThisProcessIsGone } from './guard.ts'

/** Several gateway processes on one database, as behind a load balancer. */
export class Fleet implements AsyncDisposable {
  private readonly databaseUrl: string
  private readonly mounts: readonly Mount[]
  private readonly members: ServiceProcess[] = []
  private readonly gone: ServiceProcess[] = []

  private constructor(databaseUrl: string, mounts: readonly Mount[]) {
    this.databaseUrl = databaseUrl
    this.mounts = mounts
  }

  /** Starts one process for each of the given HTTP mounts (`lean` or `next`), or the given number of `lean` processes. */
  static async start(databaseUrl: string, members: number | readonly Mount[]): Promise<Fleet> {
    const fleet = new Fleet(databaseUrl, typeof members === 'number' ? Array.from({ length: members }, () => 'lean' as const) : members)
    const started = await Promise.allSettled(fleet.mounts.map((mount) => fleet.one(mount)))
    for (const one of started) if (one.status === 'fulfilled') fleet.members.push(one.value)
    const failed = started.find((one) => one.status === 'rejected')
    if (failed) {
      await fleet[Symbol.asyncDispose]()
      throw failed.reason
    }
    return fleet
  }

  private async one(mount: Mount): Promise<ServiceProcess> {
    const member = await startProcess({ databaseUrl: this.databaseUrl, mount, dataDir: 'unused' })
    const release = whenThisProcessIsGone('kill -9 "$1"', String(member.child.pid))
    member.child.once('exit', release)
    return member
  }

  get origins(): string[] {
    return this.members.map((member) => member.origin)
  }

  get pids(): (number | undefined)[] {
    return this.members.map((member) => member.child.pid)
  }

  /** Kills a process with SIGKILL, as the kernel does when memory runs out. */
  async kill(place: number): Promise<void> {
    const member = this.members[place]
    if (!member) throw new Error(`There is no process ${place}.`)
    this.gone.push(member)
    await member.kill()
  }

  async restart(place: number): Promise<void> {
    this.members[place] = await this.one(this.mounts[place] ?? 'lean')
  }

  /** Returns processes that exited unexpectedly. */
  get crashed(): ServiceProcess[] {
    return this.members.filter((member) => !this.gone.includes(member) && (member.child.exitCode !== null || member.child.signalCode !== null))
  }

  /** Returns warnings and errors logged by the processes, each message with its count. */
  get complaints(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const member of [...this.members, ...this.gone]) {
      for (const line of member.log().split('\n')) {
        const message = /^{"level":[456]0.*"msg":"([^"]*)"}$/.exec(line)?.[1]
        if (message !== undefined) counts.set(message, (counts.get(message) ?? 0) + 1)
      }
    }
    return counts
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()))
  }
}
