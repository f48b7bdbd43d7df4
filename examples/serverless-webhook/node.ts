/**
 * Runs the handler on Node.js.
 *
 *     LEADLOOM_SIGNING_SECRET=whsec_… LEADLOOM_URL=… LEADLOOM_API_KEY=llk_… ON_CALL=ada node node.ts
 */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { handle } from "./handler.ts"

/** The maximum size of a request in bytes. Serverless platforms have such a limit, and Node.js has none. */
const maxBodyBytes = 1_048_576

/** Returns the body; null if it is too large. */
const readBody = async (incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of incoming) {
    length += chunk.length
    if (length > maxBodyBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Converts a request of Node.js and calls the handler. */
const respond = async (incoming: IncomingMessage): Promise<Response> => {
  const { headers, method = "GET", url = "/" } = incoming
  const body = await readBody(incoming)
  if (body === null) return new Response(null, { status: 413, headers: { connection: "close" } })
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const withBody = method === "GET" || method === "HEAD" ? {} : { body }
  return handle(new Request(new URL(url, "http://localhost"), { method, headers: pairs, ...withBody }), process.env)
}

const server = createServer(async (incoming, outgoing) => {
  const response = await respond(incoming)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
})
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  console.log(`receiving at http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
process.on("SIGTERM", () => server.close())
