/** A mail server of the benchmark of mailings, in a process of its own so that its time is not ours: it takes every letter and forgets it. */
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, _session, done) => {
    stream.on('end', () => done()).resume()
  },
})

server.listen(0, '127.0.0.1', () => {
  const address = server.server.address()
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
})

// Whoever started it may be interrupted.
process.once('disconnect', () => process.exit())
