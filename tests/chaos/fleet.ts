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

  /** One process for each mount that is named; a number stands for so many plain ones. */
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

  /** Ends a process as the kernel would for want of memory. */
  async kill(place: number): Promise<void> {
    const member = this.members[place]
    if (!member) throw new Error('There is no such process.')
    this.gone.push(member)
    await member.kill()
  }

  async restart(place: number): Promise<void> {
    this.members[place] = await this.one(this.mounts[place] ?? 'lean')
  }

  /** Processes that ended without having been told to. */
  get crashed(): ServiceProcess[] {
    return this.members.filter((member) => !this.gone.includes(member) && (member.child.exitCode !== null || member.child.signalCode !== null))
  }

  /** What the processes logged as warnings and errors, each message once with its number. */
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
