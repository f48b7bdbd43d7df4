import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** A request that the stub received. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly credential: string | undefined
  readonly actingUser?: string
  readonly body: unknown
}

/** The response of the stub. */
export interface StubAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A server with scripted responses, for failures that a real server rarely shows. */
export interface StubServer {
  readonly url: string
  readonly seen: ReadonlyArray<Seen>
  readonly close: () => Promise<void>
}

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString("utf8")
  return text === "" ? undefined : JSON.parse(text)
}

/** Creates a response with the error envelope. */
export const failing = (status: number, code: string, details?: unknown): StubAnswer => ({
  status,
  body: { error: { code, message: `${code} happened.`, details } },
  // Without the header, the client would wait before its retry.
  headers: { "retry-after": "0", "x-request-id": "req_stub" }
})

/** Starts a stub on a free local port. */
export const startStub = async (answer: (seen: Seen) => StubAnswer | Promise<StubAnswer>): Promise<StubServer> => {
  const seen: Array<Seen> = []
  const server = createServer(async (request, response) => {
    const one: Seen = {
      method: request.method ?? "",
      path: request.url ?? "",
      credential: request.headers.authorization,
      ...("x-acting-user" in request.headers ? { actingUser: String(request.headers["x-acting-user"]) } : {}),
      body: await readBody(request)
    }
    seen.push(one)
    const { status, body, headers } = await answer(one)
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(body === undefined ? "" : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
