/**
 * Exports spans to an OpenTelemetry collector. Metrics belong to `metrics`, log entries to `startup/Log.ts`.
 * Tests: `packages/server/test/trace`.
 */
import { Api } from "@leadloom/api/internal/Api"
import { Cause, Clock, ConfigProvider, Duration, Effect, Exit, Layer, Tracer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientResponse, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import type { TraceExport } from "../config/TraceVariables.ts"
import { operationFinder } from "../http/middleware/Methods.ts"
import { outsideRoutes } from "../http/OutsideRoutes.ts"
import { log } from "../LogEvents.ts"

/** The time limit of one export, including the response body. */
const exportTimeout = Duration.seconds(10)

/** The time for which a stopping server waits for the last export. */
const shutdownTimeout = Duration.seconds(2)

/** The maximum number of spans per export. */
const maxBatchSize = 1_000

/**
 * The maximum number of concurrent exports. Further spans are dropped, so that a slow collector does not fill the
 * memory.
 */
const maxOpenExports = 4

/** The minimum time between two log entries about dropped spans. */
const warnEvery = Duration.minutes(1)

/**
 * The exported attributes. URLs, headers, addresses and error messages are not exported, because they may contain
 * credentials or personal data.
 */
const exportedAttributes = new Set(["http.request.method", "http.route", "http.response.status_code"])

/**
 * The attribute with the host. It is exported only for requests to providers, because a client chooses the host of a
 * request to this server.
 */
const hostAttribute = "server.address"

const nameOf = (error: unknown): string => {
  if (typeof error === "object" && error !== null && "_tag" in error) return String(error._tag)
  return error instanceof Error ? error.name : "Error"
}

/** Replaces a failure by the name of its error. */
const withoutMessage = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const name = nameOf(Cause.squash(exit.cause))
  return Exit.fail(Object.assign(new Error(name), { name, stack: name }))
}

/** Removes all content of spans except the exported attributes. */
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
 * The HTTP client of exports. It limits the time and the number of concurrent exports, and logs lost spans.
 * `OtlpExporter` itself repeats a failed export three times, then drops spans for one minute.
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
        yield* log("traces.failed", { reason })
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

/**
 * Exports the spans of all fibers that this layer provides for, if a collector is configured. The span of a request has
 * the name of the operation.
 */
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
      // An empty configuration, because `OtlpTracer` would otherwise read further variables of the process.
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
    ),
    Layer.succeed(HttpMiddleware.SpanNameGenerator, ({ method, url: path }) => find(method, path)?.name ?? method)
  )
}
