import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { TestServer } from "../../world/TestServer.ts"

/** The result of a tool, as its client sees it. */
export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  /** The parsed text; undefined if the text is not JSON. */
  readonly json: unknown
}

/** A connected client of the official SDK. */
export interface McpClient {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>
  readonly toolNames: () => Promise<ReadonlyArray<string>>
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readAnswer = (result: unknown): ToolAnswer => {
  const { content, isError } = Object(result) as { readonly content: unknown; readonly isError?: unknown }
  const [first] = Array.isArray(content) ? content : []
  const text = String(Object(first).text)
  return { isError: isError === true, text, json: parse(text) }
}

/** Wraps a connected client. */
export const wrapClient = (client: Client) => ({
  client,
  call: async (name: string, args: Readonly<Record<string, unknown>> = {}) =>
    readAnswer(await client.callTool({ name, arguments: { ...args } })),
  toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name)
})

/** Connects a client of the official SDK to a server without a socket. */
export const connectClient = async (
  server: Pick<TestServer, "fetch">,
  credential: string,
  query = "",
  headers: Readonly<Record<string, string>> = {}
): Promise<McpClient> => {
  const transport = new StreamableHTTPClientTransport(new URL(`http://leadloom.test/mcp${query}`), {
    fetch: (url, init) => server.fetch(new Request(url, init)),
    requestInit: { headers: { ...headers, authorization: `Bearer ${credential}` } }
  })
  const client = new Client({ name: "test", version: "1" })
  await client.connect(transport as Parameters<Client["connect"]>[0])
  return { ...wrapClient(client), transport }
}
