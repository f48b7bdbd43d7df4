import { Effect, Schema } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../provider/Fetch.ts"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import { exchange, jsonOf } from "../provider/Exchange.ts"
import type { Provider, ProviderRequest } from "../provider/Provider.ts"
import { decode, requireFine } from "../provider/ProviderClient.ts"
import { readProblem, type StripeConfig, stripeProvider } from "./StripeConfig.ts"

/** The result of a check: the object exists, the key has no permission, the object is missing, or the check failed. */
export type Seen<A> =
  | { readonly _tag: "There"; readonly value: A }
  | { readonly _tag: "Hidden"; readonly reason: string }
  | { readonly _tag: "Missing"; readonly reason: string }
  | { readonly _tag: "Failed"; readonly reason: string }

/** A price in the Stripe account. */
export interface StripePrice {
  readonly active: boolean
  /** Whether the price is charged every month or year; false for a one-time payment. */
  readonly recurring: boolean
}

/** A webhook endpoint in the Stripe account. */
export interface StripeEndpoint {
  readonly url: string
  readonly enabled: boolean
  /** The names of events; `*` for all. */
  readonly events: ReadonlyArray<string>
  /** The API version of its events; null for the account's default. */
  readonly version: string | null
}

/** The parts of a Stripe account that can be checked without changes and without reading customer data. */
export interface StripeAccountSeen {
  /** `There`: the key is valid. `Hidden`: the key is valid but has no permission to read prices. */
  readonly key: Seen<null>
  readonly prices: ReadonlyMap<string, Seen<StripePrice>>
  readonly endpoints: Seen<ReadonlyArray<StripeEndpoint>>
  /** Whether the customer portal is configured. Without a configuration it does not open. */
  readonly portal: Seen<boolean>
}

const timeoutMillis = 10_000

const Price = Schema.Struct({
  object: Schema.Literal("price"),
  id: Schema.String,
  active: maybe(Schema.Boolean),
  type: maybe(Schema.String)
})
const Prices = Schema.Struct({ object: Schema.Literal("list"), data: Schema.Array(Schema.Unknown) })
const Endpoint = Schema.Struct({
  url: Schema.String,
  status: maybe(Schema.String),
  enabled_events: listOf(Schema.String),
  api_version: maybe(Schema.String)
})
const Endpoints = Schema.Struct({ object: Schema.Literal("list"), data: listOf(Endpoint) })
const Portals = Schema.Struct({
  object: Schema.Literal("list"),
  data: listOf(Schema.Struct({ is_default: maybe(Schema.Boolean) }))
})

const looking =
  (provider: Provider) =>
  <S extends Schema.Decoder<unknown>>(
    path: ReadonlyArray<string>,
    query: Readonly<Record<string, string>>,
    schema: S
  ): Effect.Effect<Seen<S["Type"]>> => {
    const request: ProviderRequest = { method: "GET", path, query, what: "object" }
    return exchange(provider, request, timeoutMillis).pipe(
      Effect.flatMap((response) =>
        requireFine(provider, request, response).pipe(
          Effect.flatMap((fine) => decode(provider, request, schema, fine)),
          Effect.map((value): Seen<S["Type"]> => ({ _tag: "There", value })),
          Effect.catch(({ message: reason }) => {
            const { status } = response
            // A 404 without Stripe's error format comes from another server.
            const isStripe = readProblem(jsonOf(response))._tag === "Some"
            const _tag = status === 403 ? "Hidden" : status === 404 && isStripe ? "Missing" : "Failed"
            return Effect.succeed<Seen<S["Type"]>>({ _tag, reason })
          })
        )
      ),
      Effect.catch(({ message: reason }) => Effect.succeed<Seen<S["Type"]>>({ _tag: "Failed", reason }))
    )
  }

const mapSeen = <A, B>(seen: Seen<A>, change: (value: A) => B): Seen<B> =>
  seen._tag === "There" ? { _tag: "There", value: change(seen.value) } : seen

/** Checks the account that receives the tenants' payments. Changes nothing. */
export const probeStripe = (config: StripeConfig): Effect.Effect<StripeAccountSeen> =>
  Effect.gen(function* () {
    const look = looking(stripeProvider(config, yield* HttpClient.HttpClient))
    const key = mapSeen(yield* look(["prices"], { limit: "1" }, Prices), () => null)
    const prices = new Map<string, Seen<StripePrice>>()
    if (key._tag === "Failed") return { key, prices, endpoints: key, portal: key }
    const { creditPrice, prices: plans } = config
    for (const id of new Set([...Object.values(plans).flat(), ...(creditPrice === null ? [] : [creditPrice])])) {
      const seen = yield* look(["prices", id], {}, Price)
      prices.set(
        id,
        mapSeen(seen, ({ active, type }) => ({ active: active !== false, recurring: type === "recurring" }))
      )
    }
    const endpoints = yield* look(["webhook_endpoints"], { limit: "100" }, Endpoints)
    const portals = yield* look(
      ["billing_portal", "configurations"],
      { active: "true", is_default: "true", limit: "1" },
      Portals
    )
    return {
      key,
      prices,
      endpoints: mapSeen(endpoints, ({ data }) =>
        present(data).map(({ api_version, enabled_events, status, url }) => ({
          url,
          enabled: status !== "disabled",
          events: present(enabled_events),
          version: api_version ?? null
        }))
      ),
      portal: mapSeen(portals, ({ data }) => present(data).length > 0)
    }
  }).pipe(Effect.provide(layerFetch))
