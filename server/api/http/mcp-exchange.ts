import { type JSONRPCMessage, type JSONRPCRequest, type MessageClassification, PerRequestHTTPServerTransport, type Server } from '@modelcontextprotocol/server'

/** Classification of a message; null for versions before 2026-07-28, whose messages have none, as over any older transport. */
export type Classification = MessageClassification | null

/**
 * SDK transport for one request of 2026-07-28, from which a server learns the protocol version. Returns the message itself instead of the web Response that
 * the SDK would build. Without a classification it carries messages of earlier versions.
 */
class Exchange extends PerRequestHTTPServerTransport {
  private readonly answered = Promise.withResolvers<JSONRPCMessage>()
  private readonly wasClassified: Classification

  constructor(classification: Classification) {
    super({ classification: classification ?? { era: 'legacy' } })
    this.wasClassified = classification
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    // Anything but a response would be a notification, which no one receives.
    if (!('method' in message)) this.answered.resolve(message)
  }

  ask(message: JSONRPCRequest): Promise<JSONRPCMessage> {
    this.onmessage?.(message, this.wasClassified === null ? {} : { classification: this.wasClassified })
    return this.answered.promise
  }
}

/**
 * Answers one request with a dedicated server. Neither server nor transport holds any resources, so both are left to the garbage collector: closing them would
 * create an error with a stack trace.
 */
export async function askOnce(server: Server, message: JSONRPCRequest, classification: Classification): Promise<JSONRPCMessage> {
  const exchange = new Exchange(classification)
  await server.connect(exchange)
  return exchange.ask(message)
}
