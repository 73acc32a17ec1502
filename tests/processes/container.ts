import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { cp, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { getArguments, type Stage } from './dockerfile.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const limitMs = 60_000

/** Returns the names of the repository's top-level entries that `docker build` sends. All patterns in .dockerignore apply to that level. */
function contextNames(): string[] {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const ignored = new RegExp(`^(?:${patterns.map((one) => one.replaceAll('.', '\\.').replaceAll('*', '.*')).join('|')})$`)
  return readdirSync(root).filter((name) => !ignored.test(name))
}

/**
 * Runs the build stage in a copy of the build context. The results of `setup.mjs` (packages, bundle, pages) already exist, so the script only checks that they
 * match the files in the context. It prints a line for each result that it has to build.
 */
async function runBuildStage(stage: Stage, app: string, image: string): Promise<void> {
  for (const name of contextNames()) await cp(join(root, name), join(app, name), { recursive: true, verbatimSymlinks: true })
  await symlink(join(root, 'node_modules'), join(app, 'node_modules'))
  await cp(join(root, 'built'), join(app, 'built'), { recursive: true })
  const isCache = (file: string) => file === join(root, '.next/cache')
  await cp(join(root, '.next'), join(app, '.next'), { recursive: true, verbatimSymlinks: true, filter: (file) => !isCache(file) })
  for (const text of getArguments(stage, 'RUN')) {
    const { stderr } = await run('sh', ['-c', text.replaceAll('/image', image)], { cwd: app, timeout: limitMs, killSignal: 'SIGKILL' })
    if (stderr !== '') throw new Error(`The build context lacks what a build needs, because ${text} prints: ${stderr}`)
  }
}

/** Runs the COPY and RUN instructions of the last stage. */
async function runFinalStage(stage: Stage, app: string, image: string): Promise<void> {
  for (const { name, text } of stage.instructions) {
    if (name === 'RUN') await run('sh', ['-c', text], { cwd: app, timeout: limitMs })
    if (name !== 'COPY') continue
    const [from = '', to = ''] = text.split(' ').filter((word) => !word.startsWith('--'))
    await cp(from.replace('/image', image), join(app, to), { recursive: true, verbatimSymlinks: true })
  }
}

/** Builds the image's /app directory under `folder` by running the Dockerfile's instructions, and returns its path. */
export async function buildImage([build, final]: readonly Stage[], folder: string): Promise<string> {
  if (build === undefined || final === undefined) throw new Error('The Dockerfile must have two stages.')
  const [context, app] = [join(folder, 'context'), join(folder, 'app')]
  for (const path of [context, app]) mkdirSync(path)
  await runBuildStage(build, context, join(folder, 'image'))
  await runFinalStage(final, app, join(folder, 'image'))
  return app
}

/**
 * Runs "$@" as unprivileged user 1000 in a separate root file system: the system folders and the image's /app are mounted read-only; /tmp and the user's
 * own folders are tmpfs. Only this process and its children see the mounts.
 */
const script = `
set -e
root=$1 app=$2 node=$3; shift 3
mount -t tmpfs -o mode=755 none "$root"
mkdir "$root/app" "$root/tmp" "$root/proc" "$root/dev" "$root/node"
bind_readonly() { mkdir -p "$root/$2"; mount --bind "$1" "$root/$2"; mount -o remount,bind,ro "$root/$2"; }
for name in usr etc bin lib lib64; do
  if [ -L "/$name" ]; then cp -P "/$name" "$root/$name"; elif [ -d "/$name" ]; then bind_readonly "/$name" "$name"; fi
done
bind_readonly "$app" app
bind_readonly "$(dirname "$node")" node
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 none "$root/tmp"
for name in .next/cache backups; do mount -t tmpfs -o uid=1000,gid=1000 none "$root/app/$name"; done
mount -o remount,ro "$root"
cd "$root"
exec chroot "$root" /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
  /usr/bin/env --chdir /app "$@"`

export type Container = { readonly app: string; readonly root: string; readonly env: Readonly<Record<string, string>> }

/** Starts a command in the image as a container would run it. Needs root for the mounts; the test fails without it. */
export function startInside({ app, root: place, env }: Container, command: readonly string[]): ChildProcess {
  mkdirSync(place, { recursive: true })
  const node = process.execPath
  const inside = { PATH: '/node:/usr/bin:/bin', ...env }
  if (basename(node) !== 'node') throw new Error(`The Node executable is not named node: ${node}`)
  return spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', place, app, node, ...command], {
    env: { NODE_ENV: 'production', ...inside, PATH: `${inside.PATH}:/usr/sbin:/sbin` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a command in the image until it exits. */
export async function runInside(container: Container, command: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = startInside(container, command)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (output += part.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearTimeout(timer)
  return { code, output }
}
