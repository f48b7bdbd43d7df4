// The `HumanCheck` port for Turnstile and compatible services. The built-in proof of work is in core. Tests:
// `packages/connectors/test/turnstile`.
import {
  HumanCheck,
  HumanCheckUnavailable,
  HumanCheckFailed,
  type HumanProof
} from "@leadloom/core/port/provider/HumanCheck"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { createHash } from "node:crypto"
import { boundedBody } from "../http/BoundedBody.ts"
import { layerFetch } from "../http/Fetch.ts"
import { listOf } from "../http/Lenient.ts"
import { present } from "../http/Present.ts"
import { redactSecrets } from "../http/RedactSecrets.ts"

/** The settings of Turnstile or a compatible service (hCaptcha, reCAPTCHA). */
export interface TurnstileConfig {
  /** The complete URL of siteverify. */
  readonly url: string
  readonly secret: Redacted.Redacted
}

/** Cloudflare's siteverify URL. */
export const defaultTurnstileUrl = "https://challenges.cloudflare.com/turnstile/v0/siteverify"

/** Short, because a visitor waits for the response. */
const timeout = "5 seconds"
const maxAnswerBytes = 65_536

const Answer = Schema.Struct({ success: Schema.Boolean, "error-codes": listOf(Schema.String) })
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Answer))

/** Error codes that the visitor does not cause. */
const ours = ["missing-input-secret", "invalid-input-secret", "bad-request", "internal-error"]

const unavailable = (reason: string) => new HumanCheckUnavailable({ reason })

/** Returns an idempotency key for a token. As a UUID it makes Turnstile repeat its first response. */
const nameOf = (token: string): string => {
  const hex = createHash("sha256").update(token).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-"
  )
}

const read = (
  text: string,
  proofId: string,
  secret: string
): Effect.Effect<HumanProof, HumanCheckFailed | HumanCheckUnavailable> => {
  const answer = decode(text)
  if (answer._tag === "None") return Effect.fail(unavailable("siteverify sent an invalid response"))
  if (answer.value.success) return Effect.succeed({ proofId })
  const codes = present(answer.value["error-codes"])
  if (codes.some((code) => ours.includes(code))) {
    const words = redactSecrets([secret], codes.join(", ")).slice(0, 200)
    return Effect.fail(unavailable(`siteverify rejected the request: ${words}`))
  }
  return Effect.fail(new HumanCheckFailed({ reason: "The verification failed or has expired. Repeat it." }))
}

/** Verifies tokens with siteverify. Without a response, verification fails. */
export const makeTurnstile = (
  http: HttpClient.HttpClient,
  { secret, url }: TurnstileConfig
): HumanCheck["Service"] => ({
  verify: Effect.fnUntraced(function* (token, address) {
    const proofId = nameOf(token)
    const requested = HttpClientRequest.bodyUrlParams(HttpClientRequest.post(url), {
      secret: Redacted.value(secret),
      response: token,
      idempotency_key: proofId,
      ...(address === null ? {} : { remoteip: address })
    })
    const text = http.execute(requested).pipe(
      Effect.flatMap((response) =>
        boundedBody(response, maxAnswerBytes, unavailable("siteverify sent too long a response"))
      ),
      Effect.map((bytes) => new TextDecoder().decode(bytes)),
      Effect.catchTag("HttpClientError", () => Effect.fail(unavailable("siteverify cannot be reached"))),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(unavailable(`siteverify did not respond within ${timeout}`))
      })
    )
    return yield* read(yield* text, proofId, Redacted.value(secret))
  })
})

/** Provides verification through Turnstile. */
export const layer = (config: TurnstileConfig): Layer.Layer<HumanCheck> =>
  Layer.effect(
    HumanCheck,
    Effect.map(HttpClient.HttpClient, (http) => HumanCheck.of(makeTurnstile(http, config)))
  ).pipe(Layer.provide(layerFetch))

/** The result of the verification of an invalid token. `Refused` is the expected one. */
export type TurnstileSeen =
  | { readonly _tag: "Refused" }
  /** The secret is a test secret, which accepts every token. */
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
