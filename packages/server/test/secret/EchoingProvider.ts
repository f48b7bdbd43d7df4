import { createServer, type IncomingMessage } from "node:http"
import { SMTPServer } from "smtp-server"

/** Stand-ins of providers that reject every request and repeat all of it in the response. Spans are accepted. */
export interface EchoingProvider {
  /** URL of the stand-in for Stripe, Twilio, Nylas, Turnstile, S3, language models and a collector of spans. */
  readonly url: string
  /** `host:port` of a mail relay that repeats the rejected password. */
  readonly relay: string
  /** The requested providers, by the first segments of their paths, and `smtp`. */
  readonly requested: ReadonlySet<string>
  /** Returns the exported spans as OTLP JSON. */
  readonly spans: () => string
  readonly close: () => Promise<void>
}

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

const refusal = (said: string): object => ({
  success: false,
  "error-codes": ["bad-request", said],
  code: 20_003,
  status: 400,
  message: said,
  detail: said,
  error: { type: said, code: said, param: said, message: said },
  error_description: said,
  request_id: said
})

const portOf = (address: ReturnType<ReturnType<typeof createServer>["address"]>): number =>
  typeof address === "object" && address !== null ? address.port : 0

/** Starts the stand-ins on free ports. */
export const startEchoing = async (): Promise<EchoingProvider> => {
  const requestedPaths = new Set<string>()
  const traces: Array<string> = []
  const web = createServer(async (request, response) => {
    if (request.url === "/v1/traces") {
      traces.push(await readText(request))
      return response.writeHead(200).end("{}")
    }
    requestedPaths.add((request.url ?? "").split("?", 1)[0]?.split("/").slice(1, 3).join("/") ?? "")
    // The length varies, so that truncation cuts every part of the text in some request.
    const said = [
      ".".repeat(requestedPaths.size * 7),
      request.url,
      JSON.stringify(request.headers),
      await readText(request)
    ]
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(refusal(said.join(" "))))
  })
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ password = "", username = "" }, _, done) => {
      requestedPaths.add("smtp")
      const plain = Buffer.from(`\0${username}\0${password}`).toString("base64")
      done(new Error(`neither ${password} nor ${plain} will do`))
    }
  })
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve))
  await new Promise<void>((resolve) => mail.listen(0, "127.0.0.1", () => resolve()))
  return {
    url: `http://127.0.0.1:${portOf(web.address())}`,
    relay: `127.0.0.1:${portOf(mail.server.address())}`,
    requested: requestedPaths,
    spans: () => traces.join("\n"),
    close: async () => {
      await new Promise<void>((resolve) => mail.close(() => resolve()))
      web.closeAllConnections()
      await new Promise<void>((resolve) => void web.close(() => resolve()))
    }
  }
}
