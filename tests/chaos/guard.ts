import { spawn } from 'node:child_process'

/**
 * Starts a shell that runs `script` once this process is gone, even after SIGKILL, so that tests leave nothing behind. The shell waits for the end
 * of its input, which only this process holds open. Returns a function that cancels it.
 */
export function whenThisProcessIsGone(script: string, ...values: readonly string[]): () => void {
  const shell = spawn('/bin/sh', ['-c', `cat > /dev/null; ${script}`, 'svc-chaos-guard', ...values], {
    // Runs in a separate session, so that Ctrl-C ends the test but not the shell.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  return () => {
    if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL')
  }
}
