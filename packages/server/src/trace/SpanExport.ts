/**
 * Exports spans to an OpenTelemetry collector. Metrics belong to `metrics`, log entries to `startup/Log.ts`.
 * Tests: `packages/server/test/trace`.
 */
import { Api } from "@leadloom/api/Api"
import { Cause, Clock, ConfigProvider, Duration, Effect, Exit, Layer, Tracer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientResponse, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import type { TraceExport } from "../config/TraceVariables.ts"
import { operationFinder } from "../http/middleware/Methods.ts"
import { outsideRoutes } from "../http/OutsideRoutes.ts"

/** Time limit of one export, including the response body. */
const exportTimeout = Duration.seconds(10)

/** Time that the server waits for the last export when it stops. */
const shutdownTimeout = Duration.seconds(2)

/** Spans per export. */
const maxBatchSize = 1_000

/** Maximum number of concurrent exports. Spans beyond it are dropped, so a slow collector does not fill the memory. */
const maxOpenExports = 4

/** Minimum time between two log entries about dropped spans. */
const warnEvery = Duration.minutes(1)

/**
 * The exported attributes. URLs, headers, addresses and messages of errors are not exported, because they may contain
 * credentials or personal data.
 */
const exportedAttributes = new Set(["http.request.method", "http.route", "http.response.status_code"])

/** The host of a request to a provider. That of a request to this server is a header of the client. */
const hostAttribute = "server.address"

const nameOf = (error: unknown): string => {
  if (typeof error === "object" && error !== null && "_tag" in error) return String(error._tag)
  return error instanceof Error ? error.name : "Error"
}

/** Reduces a failure to the name of its error. */
const withoutMessage = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const name = nameOf(Cause.squash(exit.cause))
  return Exit.fail(Object.assign(new Error(name), { name, stack: name }))
}

/** Restricts the content of spans to the exported attributes. */
const restrict = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const span = tracer.span(options)
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          const isExported = exportedAttributes.has(key) || (key === hostAttribute && span.kind === "client")
          if (isExported) attribute(key, value)
        },
        event: () => undefined,
        end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => end(endTime, withoutMessage(exit))
      })
    }
  })

/**
 * An HTTP client with a time limit, a limit of concurrent exports, and a log entry for lost spans. `OtlpExporter` itself
 * repeats a failed export three times, then drops spans for one minute.
 */
const boundedClient = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    let open = 0
    let warnedAt = -Infinity
    const warn = (reason: string) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now - warnedAt < Duration.toMillis(warnEvery)) return
        warnedAt = now
        yield* Effect.logWarning("spans were not exported", { reason })
      })
    return HttpClient.transform(client, (send, request) => {
      const respond = (status: number, headers: Readonly<Record<string, string>> = {}) =>
        HttpClientResponse.fromWeb(request, new Response(null, { status, headers }))
      return Effect.suspend(() => {
        if (open >= maxOpenExports) return Effect.as(warn("The collector is too slow."), respond(200))
        open += 1
        return send.pipe(
          Effect.tap((response) => response.arrayBuffer),
          Effect.timeoutOrElse({
            duration: exportTimeout,
            orElse: () => {
              const reason = new HttpClientError.TransportError({
                request,
                description: "The collector did not answer."
              })
              return Effect.fail(new HttpClientError.HttpClientError({ reason }))
            }
          }),
          Effect.tap(({ status }) => (status < 300 ? Effect.void : warn(`The collector answered ${status}.`))),
          Effect.map(({ headers, status }) => respond(status, headers)),
          Effect.tapError(({ message }) => warn(message)),
          Effect.ensuring(Effect.sync(() => void (open -= 1)))
        )
      })
    })
  })
).pipe(Layer.provide(FetchHttpClient.layer))

/** Exports the spans of all fibers below it, if a collector is configured. A request's span has the operation's name. */
export const layer = (to: TraceExport | null): Layer.Layer<never> => {
  if (to === null) return Layer.empty
  const { attributes, headers, serviceName, url } = to
  const find = operationFinder(Api, outsideRoutes)
  const make = OtlpTracer.make({
    url,
    headers,
    resource: { serviceName, attributes },
    maxBatchSize,
    shutdownTimeout
  })
  return Layer.merge(
    Layer.effect(Tracer.Tracer, Effect.map(make, restrict)).pipe(
      Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, boundedClient]),
      // `OtlpTracer` would read further variables of the process.
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
    ),
    Layer.succeed(HttpMiddleware.SpanNameGenerator, ({ method, url: path }) => find(method, path)?.name ?? method)
  )
}
