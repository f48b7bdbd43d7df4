import { Schema } from "effect"
import { isJsonPointer, maxJsonPointerLength } from "../../text/JsonPointer.ts"
import { maxEgressUrlLength, urlMistake } from "../../webhook/EgressUrl.ts"

/** The maximum number of calls of webhooks by one rule. */
export const maxCallsPerRule = 3

/** The maximum number of requests to webhooks that the rules of one tenant cause in an hour. Retries count too. */
export const maxCallsPerHour = 1_000

/** The maximum number of custom fields that one call stores. */
export const maxStoredFields = 10

/** The maximum size of a response from which values are stored, in bytes. */
export const maxCallResponseBytes = 65_536

/** A JSON Pointer into the response. */
const Pointer = Schema.String.check(Schema.isMaxLength(maxJsonPointerLength))

/** Calls a webhook, and stores values of its response. */
export const CallWebhook = Schema.Struct({
  type: Schema.Literal("call_webhook").annotate({
    description:
      "Sends a signed POST request with the contact, the lead and the message, after the run and with retries, and stores values of the JSON response in custom fields of the contact. A rule can have it three times"
  }),
  url: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxEgressUrlLength)).annotate({
    description: "The URL, as in webhook subscriptions: https, and a public host unless the operator permits it"
  }),
  webhook_id: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(64)).annotate({
    description:
      "The id of the webhook subscription (`whk_…`) whose signing secret signs the request. The subscription does not receive it"
  }),
  store: Schema.optionalKey(Schema.Record(Schema.String, Pointer)).annotate({
    description:
      'Up to 10 custom fields of the contact, each with the JSON Pointer (RFC 6901) of its value in the response, for example `{ "credit": "/customer/credit_limit" }`. Default: nothing is stored'
  })
})
export type CallWebhook = typeof CallWebhook.Type

/** An error in an action. */
interface Issue {
  readonly path: string
  readonly message: string
}

const isCall = (action: { readonly type: string }): action is CallWebhook => action.type === "call_webhook"

const issuesOf = ({ store = {}, url }: CallWebhook, path: string): ReadonlyArray<Issue> => {
  const mistake = urlMistake(url)
  const stored = Object.entries(store)
  const few = { path: `${path}.store`, message: `An action stores at most ${maxStoredFields} fields. Store fewer.` }
  return [
    ...(mistake === null ? [] : [{ path: `${path}.url`, message: mistake }]),
    ...(stored.length > maxStoredFields ? [few] : []),
    ...stored.flatMap(([field, pointer]) =>
      isJsonPointer(pointer)
        ? []
        : [{ path: `${path}.store.${field}`, message: "Expected a JSON Pointer, for example /customer/id." }]
    )
  ]
}

/** Returns the errors in the actions `call_webhook` of a rule, except those that only the server finds. */
export const checkCalls = ({
  actions
}: {
  readonly actions: ReadonlyArray<{ readonly type: string }>
}): ReadonlyArray<Issue> => {
  const calls = [...actions.entries()].flatMap(([position, action]) =>
    isCall(action) ? [{ action, path: `actions.${position}` }] : []
  )
  const message = `A rule can have this action ${maxCallsPerRule} times. Remove one.`
  return calls.flatMap(({ action, path }, index) => [
    ...(index < maxCallsPerRule ? [] : [{ path: `${path}.type`, message }]),
    ...issuesOf(action, path)
  ])
}
