import { ActionValidation, RequestValidation } from "@leadloom/api/Access"
import { ActionFailed, BadRequest } from "@leadloom/api/errors"
import { Effect, Layer, SchemaIssue } from "effect"
import { HttpApiMiddleware, type HttpApiError } from "effect/http-api"

/** What stands in `details`: the words of somebody who writes a client, not those of the schema library. */
const leafHook: SchemaIssue.LeafHook = (issue) => {
  if (issue._tag === "MissingKey") return "This field is required."
  if (issue._tag === "UnexpectedKey") return "There is no such field."
  return SchemaIssue.defaultLeafHook(issue)
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook })

/** What does not match the contract, field by field. */
export const fieldIssues = (found: SchemaIssue.Issue) =>
  format(found).issues.map((issue) => ({
    path: (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join("."),
    message: issue.message
  }))

const issuesOf = (error: HttpApiError.HttpApiSchemaError) => fieldIssues(error.cause.issue)

/** What we answer does not match the contract: that is our mistake and not the caller's. */
const isOurs = (error: HttpApiError.HttpApiSchemaError): boolean =>
  error.kind === "Body" || error.kind === "ResponseHeaders"

const requests = HttpApiMiddleware.layerSchemaErrorTransform(RequestValidation, (error) =>
  isOurs(error)
    ? Effect.fail(error)
    : Effect.fail(BadRequest.of("The request does not match the contract.", issuesOf(error)))
)

const actions = HttpApiMiddleware.layerSchemaErrorTransform(ActionValidation, (error) => {
  if (isOurs(error)) return Effect.fail(error)
  const issues = issuesOf(error).map(({ message, path }) => (path === "" ? message : `${path}: ${message}`))
  return Effect.fail(ActionFailed.of(issues.join("; ")))
})

/** Names every field that does not match the contract, in the envelope of the endpoint. */
export const layer = Layer.mergeAll(requests, actions)
