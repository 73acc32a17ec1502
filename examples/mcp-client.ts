/**
 * Calls a tool of the MCP server, without an API key: the user approves the access in the portal (OAuth 2.1 with PKCE).
 *
 *   node examples/mcp-client.ts STATE_FILE                                     lists the tools
 *   node examples/mcp-client.ts STATE_FILE rates '{"type":"notice","limit":3}'   calls a tool
 *
 * The first run prints a URL at which the user approves the access. It saves the tokens in STATE_FILE, which only the user can read, and later runs use them.
 * To end the access, revoke the key in the portal and delete the file. SVC_MCP_URL is the URL of the server, by default http://localhost:3000/mcp.
 */
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'

const url = new URL(process.env['SVC_MCP_URL'] ?? 'http://localhost:3000/mcp')
const approvalTimeoutMs = 5 * 60_000

type Saved<Name extends 'clientInformation' | 'tokens'> = Awaited<ReturnType<OAuthClientProvider[Name]>>

/** Registration of this program with the server, and its tokens. */
type State = { readonly client?: Saved<'clientInformation'>; readonly tokens?: Saved<'tokens'> }

async function readState(file: string): Promise<State> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as State
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** Writes the state to a new file and then renames it, so that an interrupted run doesn't lose the tokens. */
async function writeState(file: string, state: State): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Waits on a local port for the portal to redirect the user back. */
class Callback {
  readonly redirectUrl: string
  /** Random value in the request. A response is genuine only if it has the same value. */
  readonly state = randomUUID()
  readonly answer: Promise<URLSearchParams>
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
    this.redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
    this.answer = new Promise((resolve) => {
      server.on('request', ({ url: target = '' }, response) => {
        const { pathname, searchParams } = new URL(target, this.redirectUrl)
        const isOurs = pathname === '/callback' && searchParams.get('state') === this.state
        response.writeHead(isOurs ? 200 : 400, { 'Content-Type': 'text/plain' })
        response.end(isOurs ? 'You can close this window.' : 'This is not the response to the request from this program.')
        if (isOurs) resolve(searchParams)
      })
    })
  }

  static async open(): Promise<Callback> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new Callback(server)
  }

  /** Returns the parameters of the response. @throws Error if the user doesn't approve in time */
  async wait(): Promise<URLSearchParams> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The access was not approved in time. Start the program again.')), approvalTimeoutMs)
    })
    return Promise.race([this.answer, late]).finally(() => clearTimeout(timer))
  }

  close(): void {
    this.server.close()
    this.server.closeAllConnections()
  }
}

/** Stores what the client library needs between its steps. The library handles discovery, registration and PKCE. */
function getProvider(file: string, saved: State, { redirectUrl, state }: Callback): OAuthClientProvider {
  let current = saved
  let verifier = ''
  const save = async (more: State) => {
    current = { ...current, ...more }
    await writeState(file, current)
  }
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Example MCP client',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => current.client,
    saveClientInformation: (client) => save({ client }),
    tokens: () => current.tokens,
    saveTokens: (tokens) => save({ tokens }),
    saveCodeVerifier: (text) => {
      verifier = text
    },
    codeVerifier: () => verifier,
    redirectToAuthorization: (page) => console.error(`To approve the access, open\n${page}`),
  }
}

/** Connects with the saved tokens, or first asks the user to approve access. */
async function connect(file: string): Promise<Client> {
  const callback = await Callback.open()
  try {
    const authProvider = getProvider(file, await readState(file), callback)
    const transport = new StreamableHTTPClientTransport(url, { authProvider })
    const client = new Client({ name: 'example-mcp-client', version: '1.0.0' })
    try {
      await client.connect(transport)
      return client
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
    }
    // Checks the issuer of the response, and exchanges its code for tokens.
    await transport.finishAuth(await callback.wait())
    const approved = new Client({ name: 'example-mcp-client', version: '1.0.0' })
    await approved.connect(new StreamableHTTPClientTransport(url, { authProvider }))
    return approved
  } finally {
    callback.close()
  }
}

const [file, tool, args = '{}'] = process.argv.slice(2)
if (file === undefined) throw new Error('Usage: node examples/mcp-client.ts STATE_FILE [TOOL [ARGUMENTS]]')
const client = await connect(file)
try {
  if (tool === undefined) for (const { name, description } of (await client.listTools()).tools) console.log(`${name}: ${description?.split('\n')[0]}`)
  else {
    const { isError, structuredContent, content } = await client.callTool({ name: tool, arguments: JSON.parse(args) })
    console.log(JSON.stringify(structuredContent ?? content, null, 2))
    if (isError) process.exitCode = 1
  }
} finally {
  await client.close()
}
