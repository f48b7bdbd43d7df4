// The `HumanCheck` port for Turnstile and compatible services. The built-in proof of work is in core. Tests:
// `packages/connectors/test/turnstile`.
import {
  HumanCheck,
  HumanCheckUnavailable,
  HumanCheckFailed,
  type HumanProof
} from "@leadloom/core/internal/port/provider/HumanCheck"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { createHash } from "node:crypto"
import { exchange, jsonOf } from "../provider/Exchange.ts"
import { layerFetch } from "../provider/Fetch.ts"
import { listOf } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import type { Provider, ProviderRequest } from "../provider/Provider.ts"
import { problemIn } from "../provider/ProviderClient.ts"

/** The settings of Turnstile or a compatible service (hCaptcha, reCAPTCHA). */
export interface TurnstileConfig {
  /** The complete URL of siteverify. */
  readonly url: string
  readonly secret: Redacted.Redacted
}

/** The siteverify URL of Cloudflare. */
export const defaultTurnstileUrl = "https://challenges.cloudflare.com/turnstile/v0/siteverify"

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ success: Schema.Boolean, "error-codes": listOf(Schema.String) })
)

const codesIn = (json: unknown): ReadonlyArray<string> => {
  const answer = decode(json)
  return answer._tag === "None" ? [] : present(answer.value["error-codes"])
}

const turnstileProvider = ({ secret, url }: TurnstileConfig, http: HttpClient.HttpClient): Provider => ({
  service: "human_check",
  name: "siteverify",
  http,
  baseUrl: url,
  authorize: (request) => request,
  secrets: [secret],
  // The timeout is short, because a visitor waits for the response.
  timeoutMillis: 5_000,
  maxBytes: 65_536,
  problemOf: (json) => ({ code: null, text: codesIn(json).join(", ") })
})

/** Error codes that concern this server or the service, and not the visitor's token. */
const ours = ["missing-input-secret", "invalid-input-secret", "bad-request", "internal-error"]

const unavailable = (reason: string) => new HumanCheckUnavailable({ reason })

/**
 * Returns the idempotency key of a token in the form of a UUID. With it, Turnstile repeats its first response to the
 * token.
 */
const nameOf = (token: string): string => {
  const hex = createHash("sha256").update(token).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-"
  )
}

/** Verifies tokens with siteverify. If there is no response, verification fails. */
export const makeTurnstile = (http: HttpClient.HttpClient, config: TurnstileConfig): HumanCheck["Service"] => {
  const provider = turnstileProvider(config, http)
  return {
    verify: Effect.fnUntraced(function* (token, address) {
      const proofId = nameOf(token)
      const request: ProviderRequest = {
        method: "POST",
        path: new URL(config.url),
        what: "token",
        effect: "read",
        form: new URLSearchParams({
          secret: Redacted.value(config.secret),
          response: token,
          idempotency_key: proofId,
          ...(address === null ? {} : { remoteip: address })
        })
      }
      // The status is ignored, because siteverify sends results with 4xx too.
      const response = yield* exchange(provider, request).pipe(Effect.mapError(({ message }) => unavailable(message)))
      const answer = decode(jsonOf(response))
      if (answer._tag === "None") return yield* unavailable("siteverify sent an invalid response")
      if (answer.value.success) return { proofId } satisfies HumanProof
      if (present(answer.value["error-codes"]).some((code) => ours.includes(code)))
        return yield* unavailable(`siteverify rejected the request: ${problemIn(provider, request, response).text}`)
      return yield* new HumanCheckFailed({ reason: "The verification failed or has expired. Repeat it." })
    })
  }
}

/** Provides verification through Turnstile. */
export const layer = (config: TurnstileConfig): Layer.Layer<HumanCheck> =>
  Layer.effect(
    HumanCheck,
    Effect.map(HttpClient.HttpClient, (http) => HumanCheck.of(makeTurnstile(http, config)))
  ).pipe(Layer.provide(layerFetch))

/** The result of verifying an invalid token. `Refused` is the expected result. */
export type TurnstileSeen =
  | { readonly _tag: "Refused" }
  /** The secret is a test secret, so every token is accepted. */
  | { readonly _tag: "Passed" }
  /** The service does not respond, or rejects the secret. */
  | { readonly _tag: "Failed"; readonly reason: string }

/** Verifies an invalid token with siteverify. Has no side effects. */
export const probeTurnstile = (config: TurnstileConfig): Effect.Effect<TurnstileSeen> =>
  Effect.flatMap(HumanCheck, (check) => check.verify("leadloom-doctor", null)).pipe(
    Effect.match({
      onSuccess: (): TurnstileSeen => ({ _tag: "Passed" }),
      onFailure: (failure): TurnstileSeen =>
        failure._tag === "HumanCheckFailed" ? { _tag: "Refused" } : { _tag: "Failed", reason: failure.reason }
    }),
    Effect.provide(layer(config))
  )
