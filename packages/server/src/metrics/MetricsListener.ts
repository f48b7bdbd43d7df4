import { once } from "node:events"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { Effect, Layer } from "effect"
import type { ServerConfig } from "../config/Config.ts"
import { envelopeText } from "../http/error/Failure.ts"
import { listenFailure, StartupFailed } from "../startup/StartupFailed.ts"
import { makeListener } from "../http/Listener.ts"
import type { MetricsListen } from "../config/MetricsVariables.ts"
import { begin, type Meter } from "./Meter.ts"
import { watchThisProcess } from "./ProcessMetrics.ts"
import type { BacklogReader } from "./ReadBacklogs.ts"
import { log } from "../LogEvents.ts"

/** The content type of the text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** The time limit for receiving a request in milliseconds. Requests have no body, so they arrive quickly. */
const arrivalMillis = 10_000

/** The maximum number of connections. It is low, because few programs scrape metrics. */
const maxConnections = 32

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, {
    "content-type": type,
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(status === 405 ? { allow: "GET, HEAD" } : {})
  })
  response.end(body)
}

/** Answers `GET /metrics` with the output of `scrape`, and every other request with an error. */
const answering =
  (scrape: () => Promise<string>) =>
  ({ method, url }: IncomingMessage, response: ServerResponse): void => {
    const refuse = (status: 404 | 405 | 500, message: string): void =>
      send(response, status, "application/json", envelopeText({ status, message }))
    if (url?.split("?", 1)[0] !== "/metrics") return refuse(404, "The only path on this port is /metrics.")
    if (method !== "GET" && method !== "HEAD") return refuse(405, `/metrics supports GET, not ${method}.`)
    scrape().then(
      (text) => send(response, 200, contentType, text),
      () => refuse(500, "Failed to read the metrics.")
    )
  }

/** Lets concurrent scrapes share one read. */
const sharing = (read: () => Promise<string>): (() => Promise<string>) => {
  let running: Promise<string> | null = null
  return () => {
    running ??= read().finally(() => {
      running = null
    })
    return running
  }
}

const listen = (server: Server, { host, port }: MetricsListen) =>
  Effect.tryPromise({
    try: async () => {
      server.listen(port, host)
      await once(server, "listening")
    },
    catch: (cause) =>
      new StartupFailed({
        line: listenFailure(
          { host, port, variables: { host: "LEADLOOM_METRICS_HOST", port: "LEADLOOM_METRICS_PORT" } },
          cause
        )
      })
  })

const placeOf = (server: Server, host: string): string => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/metrics`
}

/** Serves the meter's metrics at the configured address, without a credential. */
export const layer = (
  config: Pick<ServerConfig, "databaseUrl">,
  place: MetricsListen,
  meter: Meter,
  reader: BacklogReader
): Layer.Layer<never, StartupFailed> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const context = yield* Effect.context<never>()
      const thisProcess = yield* watchThisProcess(meter.families)
      begin(meter, config.databaseUrl.startsWith("sqlite:") ? "sqlite" : "postgres")
      const scrape = sharing(async () => {
        await Effect.runPromiseWith(context)(reader.read ?? Effect.void)
        const text = meter.families.text()
        thisProcess.read()
        return text
      })
      const server = makeListener(
        () => null,
        () => arrivalMillis
      )
      server.maxConnections = maxConnections
      const answer = answering(scrape)
      server.on("request", answer).on("checkContinue", answer)
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
      )
      yield* listen(server, place)
      yield* log("metrics.listening", { url: placeOf(server, place.host) })
    })
  )
