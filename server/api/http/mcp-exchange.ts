import { type JSONRPCMessage, type JSONRPCRequest, type MessageClassification, PerRequestHTTPServerTransport, type Server } from '@modelcontextprotocol/server'

/** Messages of these versions come without a classification, as over any older transport. */
export type Classification = MessageClassification | null

/**
 * The SDK's transport for one request of 2026-07-28, by which a server knows what it speaks, without the web Response that it would make of the answer:
 * the answer is handed out as it is. Without a classification it carries messages of the versions before.
 */
class Exchange extends PerRequestHTTPServerTransport {
  private readonly answered = Promise.withResolvers<JSONRPCMessage>()
  private readonly wasClassified: Classification

  constructor(classification: Classification) {
    super({ classification: classification ?? { era: 'legacy' } })
    this.wasClassified = classification
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    // What is no answer would be a notification, and nobody listens for those.
    if (!('method' in message)) this.answered.resolve(message)
  }

  ask(message: JSONRPCRequest): Promise<JSONRPCMessage> {
    this.onmessage?.(message, this.wasClassified === null ? {} : { classification: this.wasClassified })
    return this.answered.promise
  }
}

/** Has a server that serves nobody else answer one request. Neither holds anything, so both are left to the garbage collector: closing costs an error with its stack. */
export async function askOnce(server: Server, message: JSONRPCRequest, classification: Classification): Promise<JSONRPCMessage> {
  const exchange = new Exchange(classification)
  await server.connect(exchange)
  return exchange.ask(message)
}
