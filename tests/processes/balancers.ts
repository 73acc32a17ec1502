import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/service-process.ts'

const deploy = join(import.meta.dirname, '../../deploy')

/** Local load balancer with the shipped configuration; only the ports differ. */
export type Balancer = { readonly origin: string; stop: () => Promise<void> }

type Program = { readonly file: string; readonly command: string; readonly args: (config: string, dir: string) => string[] }

const programs = {
  haproxy: { file: 'haproxy.cfg', command: 'haproxy', args: (config) => ['-db', '-f', config] },
  nginx: { file: 'nginx.conf', command: 'nginx', args: (config, dir) => ['-p', dir, '-c', config, '-e', 'stderr', '-g', `daemon off; pid ${dir}/nginx.pid;`] },
} as const satisfies Record<string, Program>

/** Replaces the ports in a shipped configuration with the test's ports. */
function withPorts(text: string, ports: ReadonlyMap<number, number>): string {
  const missing = [...ports.keys()].find((port) => !text.includes(String(port)))
  if (missing !== undefined) throw new Error(`The configuration has no port ${missing}.`)
  return text.replace(/\b(?:8080|300\d)\b/g, (port) => String(ports.get(Number(port)) ?? port))
}

async function started(child: ChildProcess, name: string, origin: string): Promise<void> {
  let said = ''
  let ended: string | null = null
  child.stderr?.on('data', (part: Buffer) => {
    said += part.toString()
  })
  child.once('error', (error: NodeJS.ErrnoException) => {
    ended = error.code === 'ENOENT' ? `${name} is not installed: apt-get install ${name}` : error.message
  })
  child.once('exit', (code) => {
    ended ??= `${name} ended with ${code}:\n${said}`
  })
  const deadline = performance.now() + 10_000
  for (;;) {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isReady) return
    if (ended !== null) throw new Error(ended)
    if (performance.now() > deadline) throw new Error(`${name} did not become ready:\n${said}`)
    await sleep(20)
  }
}

/** Starts a load balancer in front of two gateways and waits until it is ready. `edit` changes the configuration, for example a timeout. */
export async function startBalancer(name: keyof typeof programs, gateways: readonly [number, number], edit = (text: string) => text): Promise<Balancer> {
  const { file, command, args } = programs[name]
  const dir = await mkdtemp(join(tmpdir(), `svc-${name}-`))
  const port = await freePort()
  const ports = new Map([
    [8080, port],
    [3001, gateways[0]],
    [3002, gateways[1]],
  ])
  const config = join(dir, file)
  await writeFile(config, edit(withPorts(await readFile(join(deploy, file), 'utf8'), ports)))
  // On Debian, both programs are in folders that are only in root's PATH.
  const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }
  const child = spawn(command, args(config, dir), { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
    await rm(dir, { recursive: true, force: true })
  }
  const origin = `http://127.0.0.1:${port}`
  try {
    await started(child, name, origin)
  } catch (error) {
    await stop()
    throw error
  }
  return { origin, stop }
}
