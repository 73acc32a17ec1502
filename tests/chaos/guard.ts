import { spawn } from 'node:child_process'

/**
 * Has a shell run `script` when this process is gone, whatever ended it, so that nothing of a test is left on the machine. The shell waits for the end
 * of its input, which only this process holds open. Returns how to call it off.
 */
export function whenThisProcessIsGone(script: string, ...values: readonly string[]): () => void {
  const shell = spawn('/bin/sh', ['-c', `cat > /dev/null; ${script}`, 'svc-chaos-guard', ...values], {
    // In a separate session, because the Ctrl-C that ends the test must not end it too.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  return () => {
    if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL')
  }
}
