import { ActionValidation, Gate, RequestValidation } from "@leadloom/api/Access"
import { type BodyLimit, bodyLimitOf, maxBodyDepth } from "@leadloom/api/BodyLimits"
import type { Issue } from "@leadloom/api/Echo"
import { ActionFailed, BadRequest } from "@leadloom/api/errors"
import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import { type HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiError, type HttpApiEndpoint } from "effect/http-api"
import { shapeOf } from "./BodyShape.ts"
import { longArrays } from "./LongArrays.ts"
import { fieldIssues, fieldsOf, firstIssue, unknownFieldIssues } from "./SchemaIssues.ts"

/**
 * Values up to which a refused body is decoded a second time, to name every invalid field and not only the first. An
 * issue costs about ten microseconds.
 */
export const maxValuesExamined = 2_000

/** Values of a query or of headers up to which the same is done. */
const maxEntriesExamined = 100

/** Lists every issue of a value. */
type Examine = (value: unknown) => ReadonlyArray<Issue>

/** What an endpoint takes, prepared once. */
interface Plan {
  readonly limit: BodyLimit | null
  /** The schema of a JSON body; null: it takes none. */
  readonly body: Schema.Top | null
  readonly examineBody: Examine | null
  readonly nullOnEmpty: boolean
  /** The parameters that a query may have; null: whatever comes is ignored. */
  readonly query: ReadonlySet<string> | null
  readonly examineQuery: Examine | null
}

const examine = (schema: Schema.Top): Examine => {
  // No schema of the contract asks for a service, which the type of any schema does not say.
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown, unknown>, {
    errors: "all",
    onExcessProperty: "error"
  })
  return (value) => {
    const result = decode(value)
    return Result.isSuccess(result) ? [] : fieldIssues(result.failure.issue)
  }
}

/** The parameters of a query. A GET without a schema for its query has none. */
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

/** What a body is refused for before any of it is decoded; empty: nothing. */
const shapeIssues = (text: string, { body, limit }: Plan): ReadonlyArray<Issue> => {
  const maxValues = limit?.values ?? null
  if (maxValues === null || body === null) return []
  const { depth, values } = shapeOf(text, maxValues, maxBodyDepth)
  if (values > maxValues) return tooLarge(`Expected at most ${maxValues} values: objects, arrays and what is in them.`)
  if (depth > maxBodyDepth) return tooLarge(`Expected at most ${maxBodyDepth} levels of nesting.`)
  return values > maxValuesExamined ? longArrays(body.ast, parsed(text)) : []
}

/** Undefined where the text is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the framework will parse the body of this request as JSON. */
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

/** Issues of the body that need no decoding. */
const bodyIssuesBefore = (plan: Plan) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    isJson(request) ? Effect.map(Effect.orDie(request.text), (text) => shapeIssues(text, plan)) : Effect.succeed(none)
  )

/** What a request is refused for before the endpoint decodes it: unknown query parameters, the shape of its body. */
const early = (plan: Plan): Effect.Effect<ReadonlyArray<Issue>, never, HttpRouter.Provided> => {
  const { body, limit, query } = plan
  const ofBody = body === null || limit?.values === null ? Effect.succeed(none) : bodyIssuesBefore(plan)
  if (query === null) return ofBody
  return Effect.flatMap(HttpServerRequest.ParsedSearchParams, (given) => {
    const unknown = unknownFieldIssues("", given, query)
    return unknown.length === 0 ? ofBody : Effect.succeed(unknown)
  })
}

/** What we answer does not match the contract: that is our mistake and not the caller's. */
const isOurs = (error: HttpApiError.HttpApiSchemaError): boolean =>
  error.kind === "Body" || error.kind === "ResponseHeaders"

/**
 * Around every endpoint: what does not match the contract becomes an error in the words of `refuse`. The cost of a refused
 * request is bounded. Its size, the number of its values, its nesting, unknown query parameters and the length of its
 * arrays are looked at before anything is decoded; decoding stops at the first issue; only small requests are decoded
 * again to name all their issues.
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
  validating((issues) => BadRequest.of("The request does not match the contract.", issues))
)

const actions = Layer.succeed(
  ActionValidation,
  validating((issues) =>
    ActionFailed.of(issues.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; "))
  )
)

/** Refuses what does not match the contract, in the envelope of the endpoint. */
export const layer = Layer.mergeAll(requests, actions)
