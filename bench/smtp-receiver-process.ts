/** Mail server of the bulk email benchmark, in a separate process to exclude its CPU time: accepts and discards every email. */
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

// Exits if the benchmark is interrupted.
process.once('disconnect', () => process.exit())
