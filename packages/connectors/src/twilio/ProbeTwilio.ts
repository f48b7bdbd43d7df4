import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../http/Fetch.ts"
import { endpoint, type TwilioConfig } from "./TwilioConfig.ts"
import { sendRequest } from "./TwilioRequest.ts"

const timeoutMillis = 10_000

/** Checks the account's credentials without cost. Returns the problem, or null. */
export const probeTwilio = (config: TwilioConfig): Effect.Effect<string | null> =>
  Effect.flatMap(HttpClient.HttpClient, (http) =>
    sendRequest(http, config, { method: "GET", url: `${endpoint(config, []) ?? ""}.json`, timeoutMillis })
  ).pipe(
    Effect.as(null),
    Effect.catch(({ reason }) => Effect.succeed(reason)),
    Effect.provide(layerFetch)
  )
