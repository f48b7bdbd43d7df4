import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../http/Fetch.ts"
import { endpoint, type TwilioConfig } from "./TwilioConfig.ts"
import { sendRequest } from "./TwilioRequest.ts"

const timeoutMillis = 10_000

/** Why the account cannot be spoken for; null: it answers and takes our credentials. Nothing is paid for. */
export const probeTwilio = (config: TwilioConfig): Effect.Effect<string | null> =>
  Effect.flatMap(HttpClient.HttpClient, (http) =>
    sendRequest(http, config, { method: "GET", url: `${endpoint(config, []) ?? ""}.json`, timeoutMillis })
  ).pipe(
    Effect.as(null),
    Effect.catch(({ reason }) => Effect.succeed(reason)),
    Effect.provide(layerFetch)
  )
