/** Rival 3: nginx in front of the bare server, with `limit_req` by key: the usual set-up for an API. It limits but does not charge. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '../processes.ts'

/** The limit is checked for each request, but is too high to reject one. */
const configuration = (folder: string, port: number, upstream: number) => `
daemon off;
worker_processes auto;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log error;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  limit_req_zone $http_authorization zone=keys:10m rate=1000000r/s;
  upstream bare { server 127.0.0.1:${upstream}; keepalive 256; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      limit_req zone=keys burst=100000 nodelay;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffers 8 16k;
      proxy_buffer_size 16k;
      proxy_pass http://bare;
    }
  }
}
`

export function isNginxInstalled(): boolean {
  return spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.unref()
  })
}

export async function startNginx(scratch: string, upstream: Running): Promise<Running> {
  const folder = join(scratch, 'nginx')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, upstream.ports[0] ?? 0))
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (let attempt = 0; attempt < 100 && !(await answers(port)); attempt++) await sleep(50)
  if (!(await answers(port))) throw new Error('nginx did not start.')
  const stop = async () => {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  // Includes the CPU time of the server behind it.
  return { ports: [port], pids: [child.pid ?? 0, ...upstream.pids], stop }
}
