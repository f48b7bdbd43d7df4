/**
 * Validation of requests against the contract, with bounded cost. The schemas and body limits belong in
 * `packages/api`. Tests: `Validation.test.ts`, `BodyShape.test.ts` and `HostileBodies.test.ts` in
 * `packages/server/test/http`.
 */

import { ActionValidation, Gate, RequestValidation } from "@leadloom/api/internal/Access"
import { type BodyLimit, bodyLimitOf, maxBodyDepth } from "@leadloom/api/internal/BodyLimits"
import type { Issue } from "@leadloom/api/internal/Echo"
import { ActionFailed, BadRequest } from "@leadloom/api/internal/errors"
import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import { type HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiError, type HttpApiEndpoint } from "effect/http-api"
import { shapeOf } from "./BodyShape.ts"
import { longArrays } from "./LongArrays.ts"
import { fieldIssues, fieldsOf, firstIssue, unknownFieldIssues } from "./SchemaIssues.ts"

/**
 * The maximum number of values of a body that is decoded a second time after a failure. The second decoding finds all
 * invalid fields. It takes about ten microseconds per issue.
 */
export const maxValuesExamined = 2_000

/** The maximum number of entries of a query or of headers that is decoded a second time after a failure. */
const maxEntriesExamined = 100

/** Returns every issue of a value. */
type Examine = (value: unknown) => ReadonlyArray<Issue>

/** The facts for validating one endpoint, computed once. */
interface Plan {
  readonly limit: BodyLimit | null
  /** The schema of a JSON body; null if the endpoint has no JSON body. */
  readonly body: Schema.Top | null
  readonly examineBody: Examine | null
  readonly nullOnEmpty: boolean
  /** The permitted query parameters; null if the query is ignored. */
  readonly query: ReadonlySet<string> | null
  readonly examineQuery: Examine | null
}

const examine = (schema: Schema.Top): Examine => {
  // The schemas of the contract require no services, but the type `Schema.Top` does not express this.
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown, unknown>, {
    errors: "all",
    onExcessProperty: "error"
  })
  return (value) => {
    const result = decode(value)
    return Result.isSuccess(result) ? [] : fieldIssues(result.failure.issue, value)
  }
}

/** Returns the permitted query parameters. A GET without a query schema permits none. */
const parametersOf = ({ method, query }: HttpApiEndpoint.Top): ReadonlySet<string> | null =>
  query === undefined ? (method === "GET" ? new Set() : null) : fieldsOf(query.ast)

const planOf = (endpoint: HttpApiEndpoint.Top): Plan => {
  const gate = Context.getOrUndefined(endpoint.annotations, Gate)
  const schemas = endpoint.payload.get("application/json")?.schemas ?? null
  const body = schemas === null ? null : Schema.Union(schemas)
  return {
    limit: gate === undefined ? null : bodyLimitOf(gate.name),
    body,
    examineBody: body === null ? null : examine(body),
    nullOnEmpty: schemas?.some(({ ast }) => ast._tag === "Null") ?? false,
    query: parametersOf(endpoint),
    examineQuery: endpoint.query === undefined ? null : examine(Schema.toCodecArrayFromSingle(endpoint.query))
  }
}

const tooLarge = (message: string): ReadonlyArray<Issue> => [{ path: "", message }]

/** Returns the issues for which a body is rejected before it is decoded. */
const shapeIssues = (text: string, { body, limit }: Plan): ReadonlyArray<Issue> => {
  const maxValues = limit?.values ?? null
  if (maxValues === null || body === null) return []
  const { depth, values } = shapeOf(text, maxValues, maxBodyDepth)
  if (values > maxValues)
    return tooLarge(`Expected at most ${maxValues} values, counting objects, arrays and their contents.`)
  if (depth > maxBodyDepth) return tooLarge(`Expected at most ${maxBodyDepth} levels of nesting.`)
  return values > maxValuesExamined ? longArrays(body.ast, parsed(text)) : []
}

/** Parses JSON; undefined if the text is invalid. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether the framework parses the body of this request as JSON. */
const isJson = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  method !== "GET" && method !== "HEAD" && /^(?:application\/json|$)/iu.test(headers["content-type"] ?? "")

const bodyIssues = Effect.fnUntraced(function* (error: HttpApiError.HttpApiSchemaError, plan: Plan) {
  const { issue } = error.cause
  const text = yield* Effect.option((yield* HttpServerRequest.HttpServerRequest).text)
  if (Option.isNone(text) || plan.body === null || plan.examineBody === null) return fieldIssues(issue)
  const value = text.value === "" ? (plan.nullOnEmpty ? null : undefined) : parsed(text.value)
  if (value === undefined) return fieldIssues(issue)
  const long = longArrays(plan.body.ast, value)
  if (long.length > 0) return long
  const { values } = shapeOf(text.value, maxValuesExamined, maxBodyDepth)
  return values > maxValuesExamined ? firstIssue(issue, value) : plan.examineBody(value)
})

const queryIssues = Effect.fnUntraced(function* (error: HttpApiError.HttpApiSchemaError, plan: Plan) {
  const query = yield* HttpServerRequest.ParsedSearchParams
  const entries = Object.values(query).reduce((sum, value) => sum + (typeof value === "string" ? 1 : value.length), 0)
  return plan.examineQuery === null || entries > maxEntriesExamined
    ? firstIssue(error.cause.issue, query)
    : plan.examineQuery(query)
})

const issuesOf = (
  error: HttpApiError.HttpApiSchemaError,
  plan: Plan
): Effect.Effect<ReadonlyArray<Issue>, never, HttpRouter.Provided> => {
  if (error.kind === "Payload") return bodyIssues(error, plan)
  return error.kind === "Query" ? queryIssues(error, plan) : Effect.succeed(fieldIssues(error.cause.issue))
}

const none: ReadonlyArray<Issue> = []

/** Returns the issues of a body that can be found without decoding. */
const bodyIssuesBefore = (plan: Plan) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    isJson(request) ? Effect.map(Effect.orDie(request.text), (text) => shapeIssues(text, plan)) : Effect.succeed(none)
  )

/**
 * Returns the issues for which a request is rejected before the endpoint decodes it: unknown query parameters, or a
 * body that exceeds a limit.
 */
const early = (plan: Plan): Effect.Effect<ReadonlyArray<Issue>, never, HttpRouter.Provided> => {
  const { body, limit, query } = plan
  const ofBody = body === null || limit?.values === null ? Effect.succeed(none) : bodyIssuesBefore(plan)
  if (query === null) return ofBody
  return Effect.flatMap(HttpServerRequest.ParsedSearchParams, (given) => {
    const unknown = unknownFieldIssues("", given, query)
    return unknown.length === 0 ? ofBody : Effect.succeed(unknown)
  })
}

/** Returns whether the response violates the contract, which is a defect of the server. */
const isOurs = (error: HttpApiError.HttpApiSchemaError): boolean =>
  error.kind === "Body" || error.kind === "ResponseHeaders"

/**
 * Wraps every endpoint and maps violations of the contract to the error of `refuse`. The cost of rejecting a request is
 * limited. Before decoding, the wrapper checks the size, the number of values, the nesting, unknown query parameters
 * and the lengths of arrays. Decoding stops at the first issue. Only small requests are decoded again to report all
 * issues.
 */
const validating =
  <E>(refuse: (issues: ReadonlyArray<Issue>) => E) =>
  <A, E2, R>(next: Effect.Effect<A, E2, R>, { endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) => {
    const plan = planOf(endpoint)
    const answered = Effect.catch(next, (error): Effect.Effect<never, E | E2, HttpRouter.Provided> => {
      if (!HttpApiError.HttpApiSchemaError.is(error)) return Effect.fail(error)
      if (isOurs(error)) return Effect.die(error)
      return Effect.flatMap(issuesOf(error, plan), (issues) => Effect.fail(refuse(issues)))
    })
    return Effect.flatMap(early(plan), (issues) => (issues.length === 0 ? answered : Effect.fail(refuse(issues))))
  }

const requests = Layer.succeed(
  RequestValidation,
  validating((issues) => BadRequest.of("The request does not match the API contract.", issues))
)

const actions = Layer.succeed(
  ActionValidation,
  validating((issues) =>
    ActionFailed.of(issues.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; "))
  )
)

/** Rejects requests that do not match the contract, in the error envelope of the endpoint. */
export const layer = Layer.mergeAll(requests, actions)
