import { type JSONRPCMessage, type JSONRPCRequest, type MessageClassification, PerRequestHTTPServerTransport, type Server } from '@modelcontextprotocol/server'

/** Classification of a message; null for protocol versions before 2026-07-28, whose messages have none. */
export type Classification = MessageClassification | null

/**
 * SDK transport for one request. Its classification gives the server the protocol version: 2026-07-28, or an earlier one if it is null. Returns the message
 * itself instead of the web Response that the SDK would build.
 */
class Exchange extends PerRequestHTTPServerTransport {
  private readonly answered = Promise.withResolvers<JSONRPCMessage>()
  private readonly wasClassified: Classification

  constructor(classification: Classification) {
    super({ classification: classification ?? { era: 'legacy' } })
    this.wasClassified = classification
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    // Anything except a response is a notification, for which there is no receiver.
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
