/**
 * A bare HTTP server in a separate process, as the lower bound of a request: `POST /echo` decodes a body and answers it.
 * The first argument is `node` (plain `node:http` without a schema) or `effect` (an `HttpApi` with a schema and nothing
 * else). Prints its port.
 */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

const answerBare = (): void => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => void chunks.push(chunk))
    request.on("end", () => {
      const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      response.end(body)
    })
  })
  server.listen(0, "127.0.0.1", () => printPort(server.address()))
}

const printPort = (address: unknown): void => {
  const port = typeof address === "object" && address !== null && "port" in address ? address.port : 0
  process.stdout.write(`${String(port)}\n`)
}

const optional = Schema.optionalKey(Schema.String)
const Payload = Schema.Struct({
  message: Schema.String.check(Schema.isNonEmpty()),
  contact: Schema.optionalKey(
    Schema.Struct({
      name: optional,
      first_name: optional,
      last_name: optional,
      email: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[^@\s]+@[^@\s]+$/u))),
      phone: optional
    })
  ),
  channel: Schema.optionalKey(Schema.Literals(["email", "sms", "voice", "chat", "webhook"])),
  source: optional,
  metadata: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})

const answerWithEffect = (): void => {
  const api = HttpApi.make("echo").add(
    HttpApiGroup.make("echo").add(HttpApiEndpoint.post("echo", "/echo", { payload: Payload, success: Payload }))
  )
  const handlers = HttpApiBuilder.group(api, "echo", (group) =>
    group.handle("echo", ({ payload }) => Effect.succeed(payload))
  )
  const routes = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
  const server = createServer()
  server.once("listening", () => printPort(server.address()))
  NodeRuntime.runMain(
    Layer.launch(
      HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
      )
    )
  )
}

if (process.argv[2] === "node") answerBare()
else answerWithEffect()
